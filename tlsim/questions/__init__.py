"""What can be asked, one file for each question; `tlsim.questions.question` says what a question is and runs it."""
