"""One process that plays by itself: waits for a number of matches on standard input, then says how long they took."""

import sys
import time

import tlsim
from tlsim.engine.game_work import GameWork
from tlsim.engine.policies import read_policies
from tlsim.engine.work import Block

rules = tlsim.load_rules("luckywin")
work = GameWork(0, rules, 4, read_policies("lowest", 4), rules.match_length)
work(Block(0, 1))
print("ready", flush=True)
for line in sys.stdin:
    begin = time.perf_counter()
    work(Block(0, int(line)))
    print(time.perf_counter() - begin, flush=True)
