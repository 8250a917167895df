"""The web app as a person uses it: by mouse, by touch, by keyboard alone."""

import re
from pathlib import Path
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from plywise.players.level_strength import level_strengths
from web.conftest import Api, open_page, serving

MOST_TABS = 40  # presses of the Tab key that may lead to a button
JUMPS = "B:W6,7,14,15,22,32:B2,K10"


def cell(page: Page, name: str) -> Locator:
    """Return the cell of a name, as a screen reader finds it."""
    return page.locator(f'.hit[aria-label^="{name},"]')


def visit(page: Page, address: str) -> None:
    """Open an address, and wait until the page listens."""
    page.goto(address)
    page.wait_for_selector("main[data-ready]")


def new_board(api: Api, **body: object) -> str:
    return str(api.post("/boards", **body)["id"])


def moves(page: Page) -> list[str]:
    return page.locator(".moves .move").all_inner_texts()


def tab_to(page: Page, goal: Locator) -> None:
    """Press Tab until something has the focus."""
    for _ in range(MOST_TABS):
        if goal.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{MOST_TABS} times Tab do not lead to {goal}")


def drag(page: Page, start: str, end: str, button: Literal["left", "right"] = "left") -> None:
    """Drag with the mouse from a cell to another."""
    begin, goal = cell(page, start).bounding_box(), cell(page, end).bounding_box()
    assert begin is not None
    assert goal is not None
    page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
    page.mouse.down(button=button)
    page.mouse.move(goal["x"] + goal["width"] / 3, goal["y"] + goal["height"] / 2, steps=4)
    page.mouse.up(button=button)


# ---------------------------------------------------------------- whole games


def test_a_game_is_set_up_and_played_by_mouse_to_its_end(page: Page) -> None:
    visit(page, "/?game=tictactoe")
    page.get_by_label("o: player").select_option("random")
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/play/*")
    status = page.locator(".status")
    for _ in range(5):
        expect(status).to_have_text(re.compile("Your turn|over"))
        if "over" in status.inner_text():
            break
        count = len(moves(page))
        page.locator('.hit[aria-label$="can move"]').first.click()
        expect(page.locator(".moves .move").nth(count)).to_be_visible()
    expect(status).to_have_text(re.compile(r"Game over after \d moves"))


def test_a_game_is_set_up_and_played_by_keyboard_alone(page: Page) -> None:
    visit(page, "/?game=connect4")
    tab_to(page, page.locator(".tile[data-game=connect4]"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".tile[data-game=tictactoe]")).to_be_checked()
    tab_to(page, page.get_by_label("o: player"))
    page.keyboard.type("Per")  # son
    tab_to(page, page.get_by_role("button", name="Play"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/*")
    tab_to(page, page.locator('.hit[tabindex="0"]'))
    for keys in ("Enter", "ArrowDown Enter", "ArrowRight ArrowUp Enter", "ArrowDown Enter"):
        count = len(moves(page))
        for key in keys.split():
            page.keyboard.press(key)
        expect(page.locator(".moves .move")).to_have_count(count + 1)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_have_text("Game over after 5 moves: x won.")
    assert moves(page) == ["a3", "a2", "b3", "b2", "c3"]
    expect(page.locator("#live")).to_contain_text("x plays c3.")


def test_hexagons_are_set_up_and_played_by_touch_on_a_phone(browser: Browser, server: str) -> None:
    phone = {"width": 390, "height": 844}
    with open_page(browser, server, viewport=phone, has_touch=True, is_mobile=True) as page:
        visit(page, "/?game=tictactoe")
        page.locator(".tile[data-game=hex]").tap()
        page.get_by_label("blue: player").select_option("random")
        page.get_by_role("button", name="Play").tap()
        page.wait_for_url("**/play/*")
        cell(page, "d4").tap()
        expect(page.locator(".moves .move")).to_have_count(2)
        assert moves(page)[0] == "d4"
        expect(page.get_by_role("group", name="Board of hex")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == phone["width"]


def test_a_column_is_played_by_any_of_its_cells(page: Page, api: Api) -> None:
    board = new_board(api, game="connect4", seats=["human", "human"])
    visit(page, f"/play/{board}")
    page.locator('.hit[data-cell="10"]').click()
    expect(cell(page, "row 6 column 4")).to_have_attribute(
        "aria-label", "row 6 column 4, yellow piece, can move"
    )


# ---------------------------------------------------------------- kinds of moves


def test_a_man_is_dragged(page: Page, api: Api) -> None:
    board = new_board(api, game="draughts", seats=["human", "human"])
    visit(page, f"/play/{board}")
    drag(page, "11", "15")
    expect(page.locator(".moves .move")).to_have_text(["11-15"])
    expect(cell(page, "15")).to_have_attribute("aria-label", "15, black piece")


def test_jumps_go_step_by_step_and_leave_ghosts(page: Page, api: Api) -> None:
    board = new_board(api, game="draughts", seats=["human", "human"], start=JUMPS)
    visit(page, f"/play/{board}")
    for name in ("2", "9", "18"):
        cell(page, name).click()
    expect(page.locator(".piece.ghost")).to_have_count(3)
    cell(page, "25").click()
    expect(page.locator(".moves .move")).to_have_text(["2x9x18x25"])
    expect(page.locator("#live")).to_contain_text("takes")


def test_two_ways_to_one_cell_are_a_choice(page: Page, api: Api) -> None:
    board = new_board(api, game="draughts", seats=["human", "human"], start=JUMPS)
    visit(page, f"/play/{board}")
    cell(page, "2").click()
    cell(page, "25").click()
    page.get_by_role("dialog").get_by_role("button", name="2x11x18x25").click()
    expect(page.locator(".moves .move")).to_have_text(["2x11x18x25"])


def test_a_promotion_asks_for_the_piece(page: Page, api: Api) -> None:
    start = "8/P7/8/8/8/8/k7/7K w - - 0 1"
    board = new_board(api, game="chess", seats=["human", "human"], start=start)
    visit(page, f"/play/{board}")
    drag(page, "a7", "a8")
    page.get_by_role("dialog").get_by_role("button", name="a8=N").click()
    expect(cell(page, "a8")).to_have_attribute("aria-label", "a8, white knight")


def test_a_typed_move_is_played_and_a_wrong_one_told(page: Page, api: Api) -> None:
    board = new_board(api, game="draughts", seats=["human", "human"])
    visit(page, f"/play/{board}")
    page.get_by_label("Type a move").fill("9-9")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("'9-9' is not a legal move here")
    page.get_by_label("Type a move").fill("9-13")
    page.keyboard.press("Enter")
    expect(page.locator(".moves .move")).to_have_text(["9-13"])


def test_undo_flip_and_looking_back(page: Page, api: Api) -> None:
    board = new_board(api, game="draughts", seats=["human", "human"], moves=["11-15", "22-17"])
    visit(page, f"/play/{board}")
    page.keyboard.press("ArrowLeft")
    expect(cell(page, "22")).to_have_attribute("aria-label", "22, white piece")
    page.keyboard.press("End")
    before = cell(page, "1").bounding_box()
    page.get_by_role("button", name="Flip the board").click()
    assert cell(page, "1").bounding_box() != before
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".moves .move")).to_have_text(["11-15"])


def test_a_premove_is_played_when_its_time_comes(
    browser: Browser, server: str, page: Page, api: Api
) -> None:
    board = new_board(api, game="draughts", seats=["human", "human"])
    visit(page, f"/play/{board}?seat=1")
    cell(page, "22").click()
    cell(page, "17").click()
    expect(page.locator(".mark.premove")).to_have_count(2)
    api.post(f"/boards/{board}/moves", move="11-15")
    expect(page.locator(".moves .move")).to_have_text(["11-15", "22-17"])


def test_a_premove_that_is_no_legal_move_vanishes(page: Page, api: Api) -> None:
    start = "B:W21,22:B1,14"
    visit(page, f"/play/{new_board(api, game='draughts', seats=['human'] * 2, start=start)}?seat=1")
    board = page.url.split("/")[-1].split("?")[0]
    cell(page, "21").click()
    cell(page, "17").click()
    expect(page.locator(".mark.premove")).to_have_count(2)
    api.post(f"/boards/{board}/moves", move="14-18")  # must be taken
    expect(page.locator(".status")).to_have_text("Your turn")
    expect(page.locator(".mark.premove")).to_have_count(0)


def test_the_right_button_draws_arrows_and_circles(page: Page, api: Api) -> None:
    visit(page, f"/play/{new_board(api, game='draughts', seats=['human', 'human'])}")
    drag(page, "11", "18", button="right")
    cell(page, "22").click(button="right")
    expect(page.locator(".shape.arrow.own")).to_have_count(1)
    expect(page.locator(".shape.ring.own")).to_have_count(1)
    cell(page, "22").click(button="right")
    expect(page.locator(".shape.ring")).to_have_count(0)
    cell(page, "11").click()
    expect(page.locator(".shape")).to_have_count(0)


def test_levels_show_their_measured_elo(page: Page) -> None:
    visit(page, "/?game=draughts")
    page.get_by_label("white: player").select_option("patterns")
    strength = page.get_by_label("white: strength")
    strength.select_option("level=2")
    measured = level_strengths("draughts")["patterns"][1]
    assert f"level 2 · {measured.elo} Elo" in strength.locator("option").evaluate_all(
        "all => all.map((one) => one.label)"
    )
    told = f"{measured.elo} ± {measured.error} Elo above random"
    expect(page.locator(".seat-picker small").last).to_contain_text(told)
    page.get_by_label("white: player").select_option("mcts")
    expect(strength.locator("option").nth(1)).to_have_attribute("label", "level 2")


def test_two_windows_play_each_other(browser: Browser, server: str, page: Page, api: Api) -> None:
    board = new_board(api, game="tictactoe", seats=["human", "human"])
    with open_page(browser, server) as other:
        visit(page, f"/play/{board}?seat=0")
        visit(other, f"/play/{board}?seat=1")
        cell(page, "b2").click()
        expect(other.locator(".status")).to_have_text("Your turn")
        cell(other, "a1").click()
        expect(page.locator(".moves .move")).to_have_text(["b2", "a1"])


def test_a_reload_goes_on_in_the_middle(page: Page, api: Api) -> None:
    board = new_board(api, game="tictactoe", seats=["human", "human"])
    visit(page, f"/play/{board}")
    cell(page, "b2").click()
    expect(page.locator(".moves .move")).to_have_text(["b2"])
    page.reload()
    cell(page, "a1").click()
    expect(page.locator(".moves .move")).to_have_text(["b2", "a1"])


def test_a_restarted_server_goes_on_in_the_middle(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(120_000)
    players = ["mcts,nodes=5000", "random"]
    with serving(tmp_path) as address:
        form = {"game": "tictactoe", "players": players, "games": 40}
        contest = httpx.post(f"{address}/api/contests", json=form).json()["name"]
        visit(page, f"{address}/?game=tictactoe")
        page.get_by_label("o: player").select_option("human")
        page.get_by_role("button", name="Play").click()
        page.wait_for_url("**/play/*")
        cell(page, "b2").click()
        expect(page.locator(".moves .move")).to_have_text(["b2"])
    with serving(tmp_path, port=int(address.rpartition(":")[2])):
        expect(page.locator("html")).not_to_have_class(re.compile("offline"), timeout=30_000)
        cell(page, "a1").click()
        expect(page.locator(".moves .move")).to_have_text(["b2", "a1"])
        visit(page, f"{address}/arena/{contest}")  # it went on meanwhile, or goes on now
        expect(page.locator(".state")).to_have_text("finished", timeout=120_000)
        expect(page.get_by_role("status").first).to_have_text("40 of 40 games")
    context.close()


def test_a_choice_at_the_edge_stays_in_the_window_of_a_phone(
    browser: Browser, server: str, api: Api
) -> None:
    start = "8/P7/8/8/8/8/k7/7K w - - 0 1"
    board = new_board(api, game="chess", seats=["human", "human"], start=start)
    with open_page(browser, server, viewport={"width": 360, "height": 700}) as page:
        visit(page, f"/play/{board}")
        cell(page, "a7").click()
        cell(page, "a8").click()
        for piece in page.get_by_role("dialog").get_by_role("button").all():
            box = piece.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 360


def test_a_rematch_exchanges_the_seats(page: Page, api: Api) -> None:
    moves = ["b2", "a1", "a2", "c2", "b3", "b1", "c1", "a3"]
    board = new_board(api, game="tictactoe", seats=["human", "random"], moves=moves)
    visit(page, f"/play/{board}")
    cell(page, "c3").click()
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".strip .name")).to_have_text(["random", "You"])
    expect(page.locator(".strip .seat-of")).to_have_text(["x", "o"])


def test_a_board_without_room_hides_the_names_of_its_cells(page: Page, api: Api) -> None:
    names = {}
    for game in ("duchess", "hex"):
        seats = ["human"] * api.get(f"/games/{game}")["players"]
        visit(page, f"/play/{new_board(api, game=game, seats=seats)}")
        names[game] = page.locator(".cell-name").first.is_visible()
    assert names == {"duchess": False, "hex": True}


# ---------------------------------------------------------------- analysis


def test_nothing_is_judged_even_until_something_is_known(page: Page) -> None:
    visit(page, "/analysis?game=tictactoe&moves=a1")
    page.get_by_role("button", name="Think").click()
    page.reload()
    page.wait_for_selector("main[data-ready]")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "50")
    assert page.locator(".eval-bar .fill").evaluate("one => one.style.height") == "50%"
    expect(page.locator(".verdict strong")).to_have_text("\N{EN DASH}")


def test_all_lines_are_there_while_the_search_deepens(page: Page) -> None:
    visit(page, "/analysis?game=draughts")
    page.get_by_label("Who judges").select_option("alphabeta")
    expect(page.locator(".lines li")).to_have_count(3)
    expect(page.locator(".verdict span")).to_have_text(re.compile("…$"))
    expect(page.locator(".shape")).to_have_count(3)


def test_an_analysis_shows_lines_to_play_through(page: Page) -> None:
    visit(page, "/analysis?game=tictactoe&moves=a1 a3 b1 b3")
    page.get_by_label("Who judges").select_option("alphabeta")
    line = page.locator(".lines li").first
    expect(line).to_contain_text("wins in 1 ply")
    expect(page.locator(".shape.best")).to_have_count(1)
    line.get_by_role("button", name="c1").click()
    expect(page.locator(".status")).to_have_text("Game over after 5 moves: x won.")


def test_variations_are_a_tree_and_its_link_is_shared(page: Page) -> None:
    visit(page, "/analysis?game=hex&moves=d4 e4")
    page.get_by_role("button", name="Think").click()
    page.get_by_role("button", name="One move back").click()
    cell(page, "a1").click()
    expect(page.locator(".tree .variation")).to_contain_text("a1")
    assert page.url.endswith("moves=d4+a1")


def test_a_whole_game_is_judged(page: Page) -> None:
    visit(page, "/analysis?game=tictactoe&moves=a1 b2 b1 a3 c1")
    page.get_by_label("Who judges").select_option("alphabeta")
    page.get_by_role("button", name="Judge the whole game").click()
    expect(page.locator(".tree .move.blunder")).to_have_text(["a3??"])
    expect(page.locator(".graph .fault.blunder")).to_have_count(1)


def test_games_are_exported_and_imported(page: Page) -> None:
    visit(page, "/analysis?game=draughts&moves=11-15 22-17")
    page.get_by_role("button", name="Think").click()
    page.get_by_text("Import and export").click()
    page.get_by_role("button", name="Export").click()
    text = page.get_by_label("Games as text")
    expect(text).to_have_value(re.compile("1. 11-15 22-17"))
    text.fill(text.input_value().replace("22-17", "23-19"))
    page.get_by_role("button", name="Import").click()
    expect(page.locator(".tree .move").last).to_have_text("23-19")


def test_a_position_is_edited_by_hand(page: Page) -> None:
    visit(page, "/analysis?game=tictactoe")
    page.get_by_role("button", name="Think").click()
    page.get_by_text("Edit the position").click()
    page.get_by_role("group", name="Pieces to set").get_by_label("x", exact=True).click()
    cell(page, "b2").click()
    page.get_by_label("Side to move").select_option("1")
    page.get_by_role("button", name="Use this position").click()
    expect(page).to_have_url(re.compile("start=...%2F.x.%2F..."))
    expect(page.locator(".status")).to_have_text("o to move")


def test_why_marks_the_pieces_that_count(page: Page) -> None:
    visit(page, "/analysis?game=kalah")
    page.get_by_role("button", name="Think").click()
    page.get_by_role("button", name="Why?").click()
    expect(page.locator(".worth table").first).to_contain_text("worth to")
    assert page.locator(".mark.good, .mark.bad").count() >= 12


# ---------------------------------------------------------------- training and matches


def test_a_training_is_started_watched_stopped_and_resumed(page: Page) -> None:
    visit(page, "/train")
    page.get_by_label("Game", exact=True).select_option("tictactoe")
    page.get_by_label("Learner", exact=True).select_option("patterns")
    page.get_by_label("Minutes", exact=True).fill("5")
    page.get_by_label("Name", exact=True).fill("seen")
    page.get_by_text("Settings").click()
    for name, value in (("games", "200"), ("patience", "0"), ("rounds", "100000")):
        page.get_by_label(name, exact=True).fill(value)
    page.get_by_role("button", name="Train").click()
    page.wait_for_url("**/train/seen")
    expect(page.locator(".chart").first).to_be_visible()
    expect(page.get_by_label("Sample game").locator(".piece").first).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".state")).to_have_text("stopped")
    steps = page.get_by_text(re.compile("patterns on tictactoe")).inner_text()
    page.get_by_role("button", name="Resume").click()
    expect(page.locator(".state")).to_have_text("running")
    expect(page.get_by_text(re.compile("patterns on tictactoe"))).not_to_have_text(steps)
    page.get_by_role("button", name="Play it as it is now").click()
    page.wait_for_url("**/play/*")
    cell(page, "b2").click()
    expect(page.locator(".moves .move")).to_have_count(2)
    visit(page, "/train/seen")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".state")).to_have_text(re.compile("stopped|finished"))


def test_a_tournament_has_a_live_table_and_games_to_replay(page: Page) -> None:
    visit(page, "/arena")
    page.get_by_label("Game", exact=True).select_option("tictactoe")
    page.get_by_label("Player 1: player").select_option("random")
    page.get_by_label("Player 2: player").select_option("other")
    page.get_by_label("Player 2: text of the player").fill("alphabeta,depth=2")
    page.get_by_role("button", name="One more player").click()
    page.get_by_role("button", name="One more player").click()
    page.get_by_role("button", name="One fewer").click()
    page.get_by_label("Player 3: player").select_option("random")
    page.get_by_label("Games between two players").fill("4")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".state")).to_have_text("finished")
    expect(page.locator(".cross tbody tr")).to_have_count(3)
    page.get_by_role("link", name="Replay").first.click()
    page.wait_for_url("**/analysis?*")
    expect(page.locator(".tree .move").first).to_be_visible()


# ---------------------------------------------------------------- every page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_is_wider_than_its_window(
    browser: Browser, server: str, theme: str, width: int
) -> None:
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": theme}
    with open_page(browser, server, **options) as page:
        for address in ("/", "/analysis?game=hex", "/train", "/arena", "/papers", "/api"):
            visit(page, address)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address
