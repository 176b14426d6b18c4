"""Pages of reports, and the browser of the system that looks at them."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

import tlsim

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync",
         "--disable-component-update")  # fmt: skip
MUST = "TLSIM_BROWSER"  # set where a browser has to be there


@pytest.fixture(scope="session")
def browser():
    """The browser; without one these tests are skipped, but where the variable says that there must be one."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None and not os.environ.get(MUST):
        pytest.skip("there is no Chromium on this machine to look at reports with")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        yield found
        found.close()


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Reports and the files that they were written to, by what they tell of."""
    folder, made = tmp_path_factory.mktemp("reports"), {}

    def page(*rules, lang="en", **asked):
        key = (rules, lang, tuple(asked.items()))
        if key not in made:
            report = tlsim.report(rules, progress=lambda *_: None, **asked)
            file = folder / f"{len(made)}.html"
            report.write(file, lang)
            made[key] = report, file
        return made[key]

    return page


@pytest.fixture
def opened(browser):
    """Open a page; afterwards nothing may have been said on the console, and nothing asked for from outside."""

    @contextmanager
    def opening(file, width=1280, **more):
        context = browser.new_context(viewport={"width": width, "height": 900}, accept_downloads=True, **more)
        page, said, asked = context.new_page(), [], []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(Path(file).as_uri())
        yield page
        context.close()
        assert said == []
        assert {url for url in asked if not url.startswith(("data:", "blob:"))} == {Path(file).as_uri()}

    return opening
