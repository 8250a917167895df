"""Whole games of every kind, played through the page by following what it highlights."""

import random
import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from web.conftest import Api, open_page
from web.test_pages import cell, new_board, tab_to, visit

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
GAMES = {  # where a game begins; long ones begin near their end
    "tictactoe": "start",
    "connect4": "start",
    "clobber": "start",
    "hex": "start",
    "kalah": "start",
    "oware": "4,1,3,11,9,8,0/4,6,1,1,0,0,0 S 10",
    "breakthrough": "start",
    "reversi": "start",
    "ataxx": "o.xxxo/ooox.o/oooxxx/ooooox/xx.oox/xxxxxx o",
    "draughts": "start",
    "chess": "8/8/8/3k4/8/8/6R1/6K1 w - - 92 60",
    "duchess": "K1c1/K2c1/K4c1/K5c1 1 192",
}
MOST_PLIES = 400

# What the page offers, as soon as it offers anything: cells to touch, words, a choice, or the end.
OFFER = """async () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  for (;;) {
    const reached = all('.hit[aria-label$="can be reached"]');
    const offer = {
      cells: (reached.length ? reached : all('.hit[aria-label$="can move"]')).map((hit) => {
        const { x, y, width, height } = hit.getBoundingClientRect();
        return { cell: Number(hit.dataset.cell), x: x + width / 2, y: y + height / 2 };
      }),
      choices: all('.choice button').length,
      words: all('.words button').length,
      over: Boolean(document.querySelector('.status.over')),
      plies: all('.moves .move').length,
    };
    if (offer.cells.length || offer.choices || offer.words || offer.over) return offer;
    await new Promise(requestAnimationFrame);
  }
}"""

# Whether a move that was shown is one of several, as soon as that is clear.
IS_CHOICE = """async (plies) => {
  for (;;) {
    if (document.querySelector('.choice')) return true;
    if (document.querySelectorAll('.moves .move').length > plies) return false;
    await new Promise(requestAnimationFrame);
  }
}"""

# Where every arrow key leads from every cell.
ARROWS = """() => {
  const hits = [...document.querySelectorAll('.hit')];
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
  const here = document.querySelector('.hit[tabindex="0"]');
  const leads = hits.map((hit) => Object.fromEntries(keys.map((key) => {
    hit.focus();
    hit.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    return [key, Number(document.activeElement.dataset.cell)];
  })));
  here.focus();
  return leads;
}"""


@dataclass(frozen=True)
class Hand:
    """A way to use the page: what touches a cell, and what presses a button."""

    touch: Callable[[dict[str, Any]], None]
    press: Callable[[Locator], None]


def follow(page: Page, hand: Hand, seed: int, most: int = MOST_PLIES) -> int:
    """Play what the page offers, up to some plies or the end; return how many were played."""
    chooser = random.Random(seed)
    offer = page.evaluate(OFFER)
    first = offer["plies"]
    while not offer["over"] and offer["plies"] < first + most:
        if offer["choices"]:
            hand.press(page.locator(".choice button").nth(chooser.randrange(offer["choices"])))
        elif offer["cells"]:
            hand.touch(chooser.choice(offer["cells"]))
        else:
            hand.press(page.locator(".words button").first)
        offer = page.evaluate(OFFER)
    return int(offer["plies"] - first)


def replay(page: Page, api: Api, board: str, texts: list[str], hand: Hand) -> None:
    """Play some moves on a board by touching their cells, each of which the page must offer."""
    for text in texts:
        plies = page.locator(".moves .move").count()
        legal = api.get(f"/boards/{board}")["position"]["moves"]
        paths = next(move["paths"] for move in legal if move["text"] == text)
        if not paths:
            hand.press(page.locator(".words button", has_text=text))
        for step in paths[0] if paths else ():
            offered = page.evaluate(OFFER)["cells"]
            hand.touch(next(one for one in offered if one["cell"] in step))
        if page.evaluate(IS_CHOICE, plies):
            hand.press(page.get_by_role("dialog").get_by_role("button", name=text, exact=True))
        expect(page.locator(".moves .move").last).to_have_text(text)


def by_mouse(page: Page) -> Hand:
    return Hand(lambda cell: page.mouse.click(cell["x"], cell["y"]), lambda button: button.click())


def by_touch(page: Page) -> Hand:
    return Hand(
        lambda cell: page.touchscreen.tap(cell["x"], cell["y"]), lambda button: button.tap()
    )


def by_keyboard(page: Page) -> Hand:
    """Return a hand that knows Tab, the arrow keys and Enter, and nothing else."""
    leads = page.evaluate(ARROWS)

    def touch(cell: dict[str, Any]) -> None:
        tab_to(page, page.locator('.hit[tabindex="0"]'))
        here = int(page.evaluate("document.activeElement.dataset.cell"))
        for key in way(leads, here, cell["cell"]):
            page.keyboard.press(key)
        page.keyboard.press("Enter")

    def press(button: Locator) -> None:
        tab_to(page, button)
        page.keyboard.press("Enter")

    return Hand(touch, press)


def way(leads: list[dict[str, int]], start: int, goal: int) -> list[str]:
    """Return the fewest arrow keys that lead from a cell to another."""
    ways: dict[int, list[str]] = {start: []}
    queue = deque([start])
    while queue and goal not in ways:
        here = queue.popleft()
        for key, there in leads[here].items():
            if there not in ways:
                ways[there] = [*ways[here], key]
                queue.append(there)
    assert goal in ways, f"no arrow keys lead from cell {start} to {goal}"
    return ways[goal]


@pytest.fixture(scope="module")
def phone(browser: Browser, server: str) -> Iterator[Page]:
    """A page on a phone with a keyboard."""
    with open_page(browser, server, **PHONE) as opened:
        yield opened


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_mouse(page: Page, api: Api, game: str) -> None:
    seats = ["human"] * api.get(f"/games/{game}")["players"]
    board = new_board(api, game=game, seats=seats, start=GAMES[game])
    visit(page, f"/play/{board}")
    assert follow(page, by_mouse(page), 1, 3) == 3
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".moves .move")).to_have_count(2)
    page.reload()
    follow(page, by_mouse(page), 2)
    expect(page.locator(".status")).to_contain_text("Game over after")


# ---------------------------------------------------------------- one hand alone

ENDING = "K5c5/K5c3Q5a4D1a1W1a2P2e4/K6e5P4d5/K4d6D1b2F5d5W5a2P1c5 3 8"  # players 3, 4, 1, 2 ...
WHOLE_GAMES = {  # short ones from the first position to the end, with all kinds of moves
    "tictactoe": "b2 a1 a2 c2 b3 b1 c1 a3 c3",  # a draw
    "connect4": "4 3 4 3 4 5 4",
    "reversi": "e6 f4 e3 f6 g5 d6 e7 f5 c5",  # nobody has a piece left to move
    "hex": "d1 a4 d2 b4 d3 c4 d4 e4 d5 f4 d6 g4 d7",
    "kalah": "F e A b c C f C e f a A",  # C twice in a row: it moves again
    "oware": "E a F e D d E f A c C b D a B",
    "clobber": "f2e2 b3b4 a3a2 e4e5 e1f1 d3d4 a1b1 f3f4 d2d1 d5c5 c3c2 b5a5",
    "breakthrough": "c2b3 h7g6 d2d3 g6f5 c1c2 f5f4 g2f3 f4g3 b2a3 g8h7 a1b2 g3h2 e2e3 h2g1",
    "ataxx": "f1e3 f6f4 a6c5 e3d5",
    "draughts": "10-14 22-17 9-13 17x10 7x14 24-19 11-15 19x10 6x15 26-22 3-7 27-24 2-6 22-17 13x22"
    " 25x18x9x2 15-19 23x16 12x19 2x11 8x15 32-27 15-18 24x15 18-23 27x18 5-9 31-26 9-14 18x9 1-6"
    " 9x2 4-8 21-17 8-11 15x8",  # three jumps at once, and a king
    "chess": "h4 d5 h5 Nd7 h6 Ndf6 hxg7 Kd7 Rh6 Ne8 gxf8=N#",  # mate by a promotion to a knight
    "duchess": "K6e5x5a4 F5d5-4c6 K5c5-6e6 D1a1~5b3 pass F4c6-5d6",  # from ENDING: one teleports
}


@pytest.mark.parametrize("make_hand", [by_touch, by_keyboard])
@pytest.mark.parametrize("game", WHOLE_GAMES)
def test_a_whole_game_is_played_by_one_hand_alone(
    phone: Page, api: Api, game: str, make_hand: Callable[[Page], Hand]
) -> None:
    seats = ["human"] * api.get(f"/games/{game}")["players"]
    start = ENDING if game == "duchess" else "start"
    board = new_board(api, game=game, seats=seats, start=start)
    visit(phone, f"/play/{board}")
    replay(phone, api, board, WHOLE_GAMES[game].split(), make_hand(phone))
    expect(phone.locator(".status")).to_contain_text("Game over after")


# ---------------------------------------------------------------- touch


def finger(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw a finger over the screen."""
    session = page.context.new_cdp_session(page)
    (x, y), (u, v) = start, end
    for step in range(6):
        kind = "touchMove" if step else "touchStart"
        point = {"x": x + (u - x) * step / 5, "y": y + (v - y) * step / 5}
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def middle(page: Page, name: str) -> tuple[float, float]:
    box = cell(page, name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_finger_drags_a_man_and_does_not_scroll(phone: Page, api: Api) -> None:
    visit(phone, f"/play/{new_board(api, game='draughts', seats=['human', 'human'])}")
    finger(phone, middle(phone, "9"), middle(phone, "13"))
    expect(phone.locator(".moves .move")).to_have_text(["9-13"])
    assert phone.evaluate("scrollY") == 0


def test_a_finger_beside_the_men_scrolls_the_page(phone: Page, api: Api) -> None:
    visit(phone, f"/play/{new_board(api, game='draughts', seats=['human', 'human'])}")
    x, y = middle(phone, "18")
    finger(phone, (x, y), (x, y - 300))
    phone.evaluate("async () => { while (scrollY === 0) await new Promise(requestAnimationFrame) }")
    assert phone.locator(".moves .move").count() == 0


# ---------------------------------------------------------------- four people


def test_four_people_in_four_windows_play_duchess_to_the_end(
    browser: Browser, server: str, api: Api
) -> None:
    board = new_board(api, game="duchess", seats=["human"] * 4, start=ENDING)
    kings = ("5c5", "5c3", "6e5", "4d6")
    with ExitStack() as stack:
        windows = [stack.enter_context(open_page(browser, server)) for _ in range(4)]
        for seat, window in enumerate(windows):
            visit(window, f"/play/{board}?seat={seat}")
            assert window.locator(".strip .menu", has_text="you").count() == 1
        assert len({middle(window, kings[0]) for window in windows}) == 4  # each turned to its own
        for ply, text in enumerate(WHOLE_GAMES["duchess"].split()):
            seat = (ply + 2) % 4
            expect(windows[seat].locator(".status")).to_have_text(re.compile("^Your turn"))
            assert windows[seat - 1].locator(".hit.live[aria-label$='can move']").count() == 0
            replay(windows[seat], api, board, [text], by_mouse(windows[seat]))
        for window in windows:
            expect(window.locator(".status")).to_contain_text("Game over after 6 moves")


def test_a_third_window_watches(browser: Browser, server: str, page: Page, api: Api) -> None:
    board = new_board(api, game="tictactoe", seats=["human", "human"])
    with open_page(browser, server) as other:
        visit(page, f"/play/{board}")
        cell(page, "b2").click()
        visit(other, f"/play/{board}")
        cell(other, "a1").click()
        expect(page.locator(".moves .move")).to_have_text(["b2", "a1"])
        with open_page(browser, server) as third:
            visit(third, f"/play/{board}")
            expect(third.locator(".status")).to_have_text(re.compile("x to move . you watch"))
            assert third.locator(".hit.live").count() == 0
            visit(third, f"/play/{board}?seat=0")
            expect(third.get_by_role("alert")).to_contain_text("taken by another browser")


# ---------------------------------------------------------------- seats that change hands


def seat_menu(page: Page, seat: str, words: str, choice: str) -> None:
    """Choose something in the menu of a seat, once it says who has it."""
    page.get_by_label(f"{seat}: {words}", exact=True).click()
    page.get_by_role("button", name=choice).click()


def test_a_private_link_opens_a_seat_in_another_browser(
    browser: Browser, server: str, page: Page, api: Api
) -> None:
    board = new_board(api, game="tictactoe", seats=["human", "human"])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(page, f"/play/{board}?seat=0")
    seat_menu(page, "x", "you", "Copy private link")
    link = page.evaluate("navigator.clipboard.readText()")
    with open_page(browser, server) as other:
        visit(other, link)
        assert "key" not in other.url
        expect(other.get_by_label("x: you", exact=True)).to_be_visible()
        cell(other, "b2").click()
        expect(page.locator(".moves .move")).to_have_text(["b2"])


def test_a_seat_is_freed_for_a_browser_that_lost_its_key(
    browser: Browser, server: str, page: Page, api: Api
) -> None:
    board = new_board(api, game="tictactoe", seats=["human", "human"])
    with open_page(browser, server) as other:
        visit(page, f"/play/{board}?seat=0")
        visit(other, f"/play/{board}?seat=1")
        cell(page, "b2").click()
        expect(page.get_by_label("o: taken", exact=True)).to_be_visible()
        other.evaluate("localStorage.clear()")
        other.reload()
        expect(other.get_by_role("alert")).to_contain_text("taken by another browser")
        seat_menu(page, "o", "away", "Free the seat")
        seat_menu(other, "o", "free", "Take this seat")
        cell(other, "a1").click()
        expect(page.locator(".moves .move")).to_have_text(["b2", "a1"])
