"""Money while a game runs: payments, and chains of chops. All amounts in half units.

Every payment is four numbers of the row: reason, payer, receiver, amount. Payments are added and never taken back;
what one pays another gets, so the sum over seats is zero by construction.
"""

from tlsim.jit import offset, scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.leftover import twos_value

LAST_PAYS_SUM, EACH_PAYS_OWN, DOUBLING, DOUBLING_LINKS = range(4)
VOID_NOTHING, VOID_CHAIN, VOID_LINK = range(3)
PAYEES_ACTIVE, PAYEES_NOT_PASSED, PAYEES_LAID, PAYEES_BLOCKER = range(4)


@scalar_step
def pay(game, reason, payer, receiver, amount):
    """Note a payment; nobody pays himself."""
    if amount == 0 or payer == receiver:
        return
    at = r.FLOWS + 4 * game[r.N_FLOWS]
    game[at], game[at + 1], game[at + 2], game[at + 3] = reason, payer, receiver, amount
    game[r.N_FLOWS] += 1
    game[r.NET + payer] -= amount
    game[r.NET + receiver] += amount


@scalar_step
def start_chain(game):
    """No chop yet in this trick."""
    game[r.CHAIN_SUM] = game[r.CHAIN_LINKS] = game[r.CHAIN_FIRST] = game[r.CHAIN_PENDING] = 0
    game[r.CHAIN_VICTIM_OUT] = game[r.CHAIN_BROKEN] = 0


@scalar_step
def price_on_table(game):
    """Return what the set on the table costs when it is chopped: twos per card (E4), bombs by class (E7, C14)."""
    target = game[r.TARGET]
    twos = game[r.CARDS_ON] & r.TWOS
    if target == r.TWO_TWOS and game[r.PAIR_PRICE] >= 0:
        return game[r.PAIR_PRICE]
    if target == r.THREE_TWOS and game[r.TRIPLE_PRICE] >= 0:
        return game[r.TRIPLE_PRICE]
    if twos and (target != r.ON_QUAD or not game[r.FOUR_TWOS_AS_QUAD]):
        return twos_value(offset(game, r.TWO_PRICES), twos)
    return game[r.BOMB_PRICES + target - r.ON_RUN_3 + 1]


@scalar_step
def add_link(game, chopper, bomb, length):
    """Note that a bomb chops the set on the table (E2-E6, M3); length : of a run of pairs."""
    target = game[r.TARGET]
    on_bomb = target >= r.ON_RUN_3 and target != r.THREE_TWOS
    by = bomb if bomb != r.NO_BOMB else length - 1  # 5 and 6 pairs that are no bombs, on three 2s (C13)
    on = min(target, r.ON_RUN_4) - r.ON_RUN_3 + 3 if on_bomb else 2 if target == r.THREE_TWOS else target - r.TWO
    game[r.EVENTS + r.EV_CHOPS + r.N_TARGETS * (min(by, r.RUN_4) - r.RUN_3) + on] += 1
    same = on_bomb and min(target - r.ON_RUN_3 + 1, r.RUN_4) == min(bomb, r.RUN_4)
    if (same and not game[r.PAY_SAME_CLASS]) or (on_bomb and game[r.LED] and not game[r.PAY_LED_HANG]):
        game[r.CHAIN_BROKEN] = 1
        return
    if game[r.CHAIN_BROKEN]:
        start_chain(game)
    if game[r.WENT_OUT] and game[r.VOID_SCOPE] == VOID_LINK:
        pay_chain(game)
        start_chain(game)
        return
    value = price_on_table(game) + game[r.CHAIN_PENDING] + game[r.CHOP_BY + by]
    game[r.CHAIN_PENDING] = 0
    links = game[r.CHAIN_LINKS]
    if links == 0:
        game[r.CHAIN_FIRST] = value
    game[r.CHAIN_SUM] += value << links if game[r.CHAIN] == DOUBLING_LINKS else value
    if game[r.CHAIN] == EACH_PAYS_OWN:
        at = r.OWN_LINKS + 3 * links
        game[at], game[at + 1], game[at + 2] = game[r.OWNER], chopper, value
    game[r.CHAIN_LINKS] = links + 1
    game[r.LONGEST_CHAIN] = max(game[r.LONGEST_CHAIN], links + 1)
    game[r.CHAIN_VICTIM], game[r.CHAIN_CHOPPER] = game[r.OWNER], chopper
    game[r.CHAIN_VICTIM_OUT] = game[r.WENT_OUT]


@scalar_step
def break_chain(game, target):
    """Another beat than a chop: it starts the chain anew, or adds overlaid twos to the next chop (E3)."""
    overlaid = game[r.TARGET] == target and (target == r.TWO or target == r.TWO_TWOS)
    if overlaid and game[r.OVERLAID_TWOS]:
        game[r.CHAIN_PENDING] += price_on_table(game)
    elif game[r.CHAIN_LINKS]:
        game[r.CHAIN_BROKEN] = 1


@scalar_step
def pay_chain(game):
    """Settle a chain: the last victim pays the last chopper, unless the chopped play was his last (E2, E5)."""
    links = game[r.CHAIN_LINKS]
    if links == 0:
        return
    if game[r.CHAIN_VICTIM_OUT] and game[r.VOID_SCOPE] == VOID_CHAIN:
        game[r.EVENTS + r.EV_VOID_CHAIN] += 1
        return
    game[r.EVENTS + r.EV_CHAINS + min(links, r.MOST_LINKS) - 1] += 1
    if game[r.CHAIN] == EACH_PAYS_OWN:
        for at in range(r.OWN_LINKS, r.OWN_LINKS + 3 * links, 3):
            pay(game, r.CHOP, game[at], game[at + 1], game[at + 2])
        return
    doubled = game[r.CHAIN_FIRST] << (links - 1)
    value = doubled if game[r.CHAIN] == DOUBLING else game[r.CHAIN_SUM]
    pay(game, r.CHOP, game[r.CHAIN_VICTIM], game[r.CHAIN_CHOPPER], value)


@scalar_step
def pay_block(game, payer, blocker):
    """Pay everybody who takes part in the last round (000#R29, I2)."""
    payees = game[r.ACTIVE]
    if game[r.KET_PAYEES] == PAYEES_NOT_PASSED:
        payees &= ~game[r.PASSED]
    elif game[r.KET_PAYEES] == PAYEES_LAID:
        payees = game[r.LAID]
    elif game[r.KET_PAYEES] == PAYEES_BLOCKER:
        payees = 0
    payees |= 1 << blocker
    for seat in range(game[r.PLAYERS]):
        if (payees >> seat) & 1:
            pay(game, r.CHAN_3_BICH, payer, seat, game[r.KET_BLOCK_PAYS])
