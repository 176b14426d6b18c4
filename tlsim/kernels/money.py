"""Money while a game runs: payments, and chains of chops. All amounts in half units.

Every payment is four numbers of the row: reason, payer, receiver, amount. Payments are added and never taken back;
what one pays another gets, so the sum over seats is zero by construction.
"""

from __future__ import annotations

from tlsim.jit import scalar_step
from tlsim.kernels.row import (
    ACTIVE,
    BOMB_PRICES,
    CARDS_ON,
    CHAIN,
    CHAIN_BROKEN,
    CHAIN_CHOPPER,
    CHAIN_FIRST,
    CHAIN_LINKS,
    CHAIN_PENDING,
    CHAIN_SUM,
    CHAIN_VICTIM,
    CHAIN_VICTIM_OUT,
    CHAN_3_BICH,
    CHOP,
    EV_CHAINS,
    EV_CHOPS,
    EV_VOID_CHAIN,
    EVENTS,
    FLOWS,
    FOUR_TWOS_AS_QUAD,
    KET_BLOCK_PAYS,
    KET_PAYEES,
    LAID,
    LED,
    LONGEST_CHAIN,
    MOST_LINKS,
    N_FLOWS,
    N_TARGETS,
    NET,
    NO_BOMB,
    ON_QUAD,
    ON_RUN_3,
    ON_RUN_4,
    OVERLAID_TWOS,
    OWN_LINKS,
    OWNER,
    PASSED,
    PAY_LED_HANG,
    PAY_SAME_CLASS,
    PLAYERS,
    RUN_3,
    RUN_4,
    TARGET,
    THREE_TWOS,
    TWO,
    TWO_PRICES,
    TWO_TWOS,
    TWOS,
    VOID_SCOPE,
    WENT_OUT,
)  # fmt: skip

LAST_PAYS_SUM, EACH_PAYS_OWN, DOUBLING = range(3)
VOID_NOTHING, VOID_CHAIN, VOID_LINK = range(3)
PAYEES_ACTIVE, PAYEES_NOT_PASSED, PAYEES_LAID, PAYEES_BLOCKER = range(4)


@scalar_step
def pay(game, reason, payer, receiver, amount):
    """Note a payment."""
    if amount == 0 or payer == receiver:
        return
    at = FLOWS + 4 * game[N_FLOWS]
    game[at], game[at + 1], game[at + 2], game[at + 3] = reason, payer, receiver, amount
    game[N_FLOWS] += 1
    game[NET + payer] -= amount
    game[NET + receiver] += amount


@scalar_step
def start_chain(game):
    """No chop yet in this trick."""
    game[CHAIN_SUM] = game[CHAIN_LINKS] = game[CHAIN_FIRST] = game[CHAIN_PENDING] = 0
    game[CHAIN_VICTIM_OUT] = game[CHAIN_BROKEN] = 0


@scalar_step
def price_on_table(game):
    """Return what the set on the table costs when it is chopped: twos per card (E4), bombs by class (E7, C14)."""
    target = game[TARGET]
    twos = game[CARDS_ON] & TWOS
    if twos and (target != ON_QUAD or not game[FOUR_TWOS_AS_QUAD]):
        price = 0
        for suit in range(4):
            price += ((twos >> (48 + suit)) & 1) * game[TWO_PRICES + suit]
        return price
    return game[BOMB_PRICES + target - ON_RUN_3 + 1]


@scalar_step
def add_link(game, chopper, bomb):
    """Note that a bomb chops the set on the table (E2-E6, M3)."""
    target = game[TARGET]
    on_bomb = target >= ON_RUN_3 and target != THREE_TWOS
    game[EVENTS + EV_CHOPS + N_TARGETS * _row_of(bomb) + _event_of(target)] += 1
    same = on_bomb and min(target - ON_RUN_3 + 1, RUN_4) == min(bomb, RUN_4)
    if (same and not game[PAY_SAME_CLASS]) or (on_bomb and game[LED] and not game[PAY_LED_HANG]):
        game[CHAIN_BROKEN] = 1
        return
    if game[CHAIN_BROKEN]:
        start_chain(game)
    if game[WENT_OUT] and game[VOID_SCOPE] == VOID_LINK:
        pay_chain(game)
        start_chain(game)
        return
    value = price_on_table(game) + game[CHAIN_PENDING]
    game[CHAIN_PENDING] = 0
    links = game[CHAIN_LINKS]
    if links == 0:
        game[CHAIN_FIRST] = value
    game[CHAIN_SUM] += value
    if game[CHAIN] == EACH_PAYS_OWN:
        at = OWN_LINKS + 3 * links
        game[at], game[at + 1], game[at + 2] = game[OWNER], chopper, value
    game[CHAIN_LINKS] = links + 1
    game[LONGEST_CHAIN] = max(game[LONGEST_CHAIN], links + 1)
    game[CHAIN_VICTIM], game[CHAIN_CHOPPER] = game[OWNER], chopper
    game[CHAIN_VICTIM_OUT] = game[WENT_OUT]


@scalar_step
def _row_of(bomb):
    """Return the number of a bomb among the events of chops; longer runs may chop three 2s and be no bombs (C13)."""
    return RUN_4 - RUN_3 if bomb == NO_BOMB else min(bomb, RUN_4) - RUN_3


@scalar_step
def _event_of(target):
    """Return the number of a target among the events of chops."""
    if target <= TWO_TWOS:
        return target - TWO
    return 2 if target == THREE_TWOS else min(target, ON_RUN_4) - ON_RUN_3 + 3


@scalar_step
def break_chain(game, target):
    """Another beat than a chop: it starts the chain anew, or adds overlaid twos to the next chop (E3)."""
    overlaid = game[TARGET] == target and (target == TWO or target == TWO_TWOS)
    if overlaid and game[OVERLAID_TWOS]:
        game[CHAIN_PENDING] += price_on_table(game)
    elif game[CHAIN_LINKS]:
        game[CHAIN_BROKEN] = 1


@scalar_step
def pay_chain(game):
    """Settle a chain: the last victim pays the last chopper, unless the chopped play was his last (E2, E5)."""
    links = game[CHAIN_LINKS]
    if links == 0:
        return
    if game[CHAIN_VICTIM_OUT] and game[VOID_SCOPE] == VOID_CHAIN:
        game[EVENTS + EV_VOID_CHAIN] += 1
        return
    game[EVENTS + EV_CHAINS + min(links, MOST_LINKS) - 1] += 1
    if game[CHAIN] == EACH_PAYS_OWN:
        for at in range(OWN_LINKS, OWN_LINKS + 3 * links, 3):
            pay(game, CHOP, game[at], game[at + 1], game[at + 2])
        return
    doubled = game[CHAIN_FIRST] << (links - 1)
    value = doubled if game[CHAIN] == DOUBLING else game[CHAIN_SUM]
    pay(game, CHOP, game[CHAIN_VICTIM], game[CHAIN_CHOPPER], value)


@scalar_step
def pay_block(game, payer, blocker):
    """Pay everybody who takes part in the last round (000#R29, I2)."""
    payees = game[ACTIVE]
    if game[KET_PAYEES] == PAYEES_NOT_PASSED:
        payees &= ~game[PASSED]
    elif game[KET_PAYEES] == PAYEES_LAID:
        payees = game[LAID]
    elif game[KET_PAYEES] == PAYEES_BLOCKER:
        payees = 0
    payees |= 1 << blocker
    for seat in range(game[PLAYERS]):
        if (payees >> seat) & 1 and seat != payer:
            pay(game, CHAN_3_BICH, payer, seat, game[KET_BLOCK_PAYS])
