"""What holds for the whole of a store's page: hostile names, many rows, keyboard, phone, dark, and who may open it."""

import json
import os
from urllib.parse import quote, urlsplit

from playwright.sync_api import expect

from console_room import SECTIONS, Wire, store, told
from story import SHOP, Store

GARDEN = os.path.join(os.path.dirname(__file__), "garden.storekit")


def further(name, change=lambda text: text):
    """A store beside the default one, which sells the same."""
    with open(GARDEN, encoding="utf-8") as file:
        store.call(f"stores?name={name}&bundle_id=com.example.garden", json.loads(change(file.read())))
    return Store(f"{told['url']}/stores/{name}")


def hostile(room):
    """Whatever can be named is named so that it would do something if it were taken for markup."""
    markup = "</title><script>window.violations.push('ran')</script><img src=x onerror=\"window.violations.push('ran')\">'\"&amp;"
    evil = further("hostile", lambda text: text.replace("50 seeds", json.dumps(markup)[1:-1]))
    evil.open(markup)
    evil.control("purchases", {"account": markup, "productID": f"{SHOP}seeds50"})
    page = room.go("customers", base=evil.base)
    page.get_by_role("link", name=markup).click()
    expect(page.locator("main h1")).to_have_text(markup)
    expect(page.locator("svg.timeline-svg circle.dot")).to_have_count(1)
    page.locator("tbody button.link").first.click()
    expect(page.locator("dialog")).to_contain_text(markup)
    page.keyboard.press("Escape")
    for section in SECTIONS:
        room.go(section, base=evil.base)
        found = page.evaluate("document.querySelectorAll('main script, main img, body > script, title *').length")
        assert found == 0, f"{section}: {found} elements of a name"
        if section == "catalog":
            expect(page.get_by_text(markup).first).to_be_visible()
    assert page.evaluate("window.violations") == []


def prepare_many():
    weekly = further("many")
    weekly.open("old@example.com")
    weekly.buy("old@example.com", "weather.weekly")
    weekly.advance(1400)
    return weekly


def many(room, weekly):
    page = room.go("customers/old%40example.com", base=weekly.base)
    expect(page.get_by_role("tab", name="Transactions 201")).to_be_visible()
    expect(page.locator("svg.timeline-svg .lane-id")).to_contain_text("201 periods")
    expect(page.locator("tbody tr")).to_have_count(60)
    page.get_by_role("button", name="Show 60 more").click()
    expect(page.locator("tbody tr")).to_have_count(120)
    page = room.go("live", base=weekly.base)
    expect(page.locator("tbody tr")).to_have_count(200)
    page.get_by_role("button", name="Earlier").click()
    expect(page.locator("tbody tr")).to_have_count(400)


def stores(room):
    page = room.go("stores")
    page.get_by_role("button", name="New store…").click()
    page.get_by_label("Name").fill("further")
    page.get_by_label("Bundle identifier").fill("com.example.garden")
    page.locator("dialog input[type=file]").set_input_files(GARDEN)
    page.get_by_role("button", name="Make the store").click()
    page.locator("[data-store=further] h2 a").click()
    expect(page).to_have_url(f"{told['url']}/stores/further/console/")
    expect(page.locator("#stores")).to_have_value("further")
    expect(page.get_by_text("Nothing has happened yet.")).to_be_visible()
    page.locator("[data-section=catalog]").click()
    expect(page.get_by_text("Almanac, yearly")).to_be_visible()
    # A customer's past from another store, as the App Store Server API tells it.
    past = Store(f"{told['url']}/stores/hostile").control("accounts")["accounts"][0]["account"]
    past = store.call(f"stores/hostile/control/v1/accounts/{quote(past, safe='')}/transactions")["transactions"]
    page.locator("[data-section=customers]").click()
    page.get_by_role("button", name="Import a history…").click()
    page.get_by_label("Whose it becomes").fill("past@example.com")
    page.locator("dialog input[type=file]").set_input_files(
        {"name": "history.json", "mimeType": "application/json", "buffer": json.dumps({"signedTransactions": past}).encode()})
    page.get_by_role("button", name="Take it in").click()
    expect(page.locator("main h1")).to_have_text("past@example.com")
    expect(page.locator("svg.timeline-svg circle.dot")).to_have_count(1)
    # All of it as a file, and a store from that file.
    page.locator("[data-section=stores]").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export further").click()
    assert download.value.suggested_filename == "further.tillroll", download.value.suggested_filename
    page.get_by_role("button", name="Import…").click()
    page.locator("dialog input[type=file]").set_input_files(download.value.path())
    page.get_by_label("Name").fill("again")
    page.get_by_role("button", name="Take it in").click()
    expect(page.locator("[data-store=again]")).to_be_visible()
    page.locator("#stores").select_option("default")
    expect(page).to_have_url(f"{told['url']}/console/")
    page.locator("[data-section=stores]").click()
    page.get_by_role("button", name="Remove further").click()
    page.locator("dialog button[type=submit]").click()
    expect(page.locator("[data-store=further]")).to_have_count(0)


def keyboard(room):
    page = room.page
    page.goto(told["url"] + "/")  # A browser is led to the page.
    expect(page).to_have_url(f"{told['url']}/console/")
    expect(page.locator("main h1")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#stores")).to_be_focused()
    for _ in range(6):
        page.keyboard.press("Tab")
    expect(page.locator("[data-section=customers]")).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", "the focus is not seen"
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text("Customers")
    page.get_by_role("link", name="ada@example.com").focus()
    page.keyboard.press("Enter")
    expect(page.locator("svg.timeline-svg")).to_be_visible()
    # One stop for the picture; arrows walk in it.
    assert page.locator("svg.timeline-svg [tabindex='0']").count() == 1
    page.locator("svg.timeline-svg [tabindex='0']").focus()
    said = []
    for key in ["ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowRight"]:
        page.keyboard.press(key)
        said.append(page.locator(".told").inner_text())
    assert len(set(said)) >= 3 and all("to " in each or "20" in each for each in said), said
    page.keyboard.press("Enter")
    expect(page.locator("dialog h2")).to_contain_text("Transaction")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('svg.timeline-svg') !== null"), "the focus was lost"
    page.get_by_role("tab", name="Transactions").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Charges")).to_be_focused()
    expect(page.get_by_role("tabpanel")).to_contain_text("Paid in all")


STOPS = """() => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
    .filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }))
    .map((each, index) => { each.dataset.stop = index; return index; }).length"""
NAMELESS = """() => [...document.querySelectorAll("button, a[href], input, select")].filter((each) => each.checkVisibility()
    && !(each.ariaLabel || each.labels?.length || each.textContent.trim())).map((each) => each.outerHTML)"""


def reach(room):
    """The Tab key comes past everything that can be pressed, and everything has a name."""
    for section in ["clock", "faults", "stores"]:
        page = room.go(section)
        assert page.evaluate(NAMELESS) == [], section
        missing = set(range(page.evaluate(STOPS)))
        page.locator(".skip").focus()
        for _ in range(len(missing) * 2 + 12):
            missing.discard(page.evaluate("Number(document.activeElement.dataset.stop ?? -1)"))
            if not missing:
                break
            page.keyboard.press("Tab")
        left = [page.locator(f"[data-stop='{each}']").evaluate("each => each.outerHTML") for each in missing]
        assert left == [], f"{section}: Tab does not reach {left}"


def phone(room):
    for section in [*SECTIONS, "customers/ada%40example.com", "customers/kurt%40example.com"]:
        page = room.go(section)
        sideways = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert sideways <= 0, f"{section} scrolls sideways by {sideways}"
        # What is cut off is lost as well: nothing may stand out of its table.
        out = page.evaluate("[...document.querySelectorAll('main *')].filter((each) => !each.closest('svg, thead')"
                            " && each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.className || each.tagName)")
        assert out == [], f"{section}: {out[:5]}"


# Every text against what is behind it: WCAG 2.2, 1.4.3.
FAINT = """() => {
    // Rows that have just come shine for a moment.
    document.getAnimations().forEach((each) => { try { each.finish() } catch { each.cancel() } });
    const channel = (each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4;
    const light = (color) => color.match(/[0-9.]+/g).slice(0, 3).map((each) => channel(each / 255))
        .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
    const behind = (element) => {
        for (let each = element; each; each = each.parentElement) {
            const color = getComputedStyle(each).backgroundColor;
            if (color !== "rgba(0, 0, 0, 0)") return color;
        }
        return "rgb(255, 255, 255)";
    };
    return [...document.querySelectorAll("body *")].filter((each) => !each.closest("svg, .hidden, .skip, :disabled, option")
        && each.checkVisibility() && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).map((each) => {
        const [a, b] = [light(getComputedStyle(each).color), light(behind(each))].sort((x, y) => y - x);
        return [(a + 0.05) / (b + 0.05), `${each.className || each.tagName}: ${each.textContent.slice(0, 30)}`];
    }).filter(([ratio]) => ratio < 4.5).map(([ratio, text]) => `${ratio.toFixed(2)} ${text}`);
}"""


def contrast(room):
    for section in [*SECTIONS, "customers/ada%40example.com"]:
        page = room.go(section)
        faint = page.evaluate(FAINT)
        assert faint == [], f"{section}: {faint}"


LUMINANCE = """(name) => {
    const parts = getComputedStyle(document.querySelector(name[0]))[name[1]].match(/[0-9.]+/g).slice(0, 3)
        .map((each) => each / 255).map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}"""


def dark(room):
    page = room.go("customers/ada%40example.com")
    expect(page.locator("svg.timeline-svg rect.paid").first).to_be_visible()
    light = lambda *name: page.evaluate(LUMINANCE, list(name))
    ground, text = light("body", "backgroundColor"), light("body", "color")
    assert ground < 0.05, f"the ground is not dark: {ground}"
    assert (text + 0.05) / (ground + 0.05) >= 7, "text does not stand out"
    card, quiet, bar = light(".card", "backgroundColor"), light(".note", "color"), light("rect.paid", "fill")
    assert (quiet + 0.05) / (card + 0.05) >= 4.5, "quiet text does not stand out"
    assert (bar + 0.05) / (card + 0.05) >= 3, "bars do not stand out"
    contrast(room)


def token(room):
    page = room.page
    base = told["guarded"]
    page.goto(f"{base}/console/#/clock")
    expect(page).to_have_url(f"{base}/console/sign-in#/clock")
    page.get_by_label("Token").fill("open simsim")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("That is not this store’s token.")
    page.get_by_label("Token").fill("open sesame")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{base}/console/#/clock")
    expect(page.locator("main h1")).to_have_text("Clock")
    assert page.evaluate("document.cookie") == "", "a script can read the cookie"
    page.reload()
    expect(page.locator("main h1")).to_have_text("Clock")
    # Who is forgotten meanwhile is asked again, and comes back to where they were.
    page.locator("#clock-steps button").first.focus()
    room.context.clear_cookies()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{base}/console/sign-in#/clock")
    page.goto(f"{base}/console?token=wrong")
    expect(page.get_by_role("alert")).to_contain_text("That is not this store’s token.")
    page.goto(f"{base}/console?token={told['token']}")
    expect(page).to_have_url(f"{base}/console/")
    expect(page.get_by_text("Nothing has happened yet.")).to_be_visible()


def lost(room, shop):
    """The store goes and comes back: the page says so, and misses nothing."""
    address = urlsplit(shop.base)
    wire = Wire(address.port)
    with room.page.expect_response("**/events/stream**"):
        page = room.go("live", base=wire.url + address.path)
    expect(page.locator("tbody tr").first).to_be_visible()
    page.evaluate("window.stillTheSame = true")
    wire.cut()
    expect(page.locator("#lost")).to_contain_text("What is shown may be old.")
    shop.open("mira@example.com")
    shop.buy("mira@example.com", "seeds5")
    wire.mend()
    expect(page.locator("tr.fresh", has_text="Bought").filter(has_text="mira@example.com")).to_be_visible()
    expect(page.locator("#lost")).to_be_empty()
    assert page.evaluate("window.stillTheSame"), "the page was loaded again"


def silence(room):
    complaints = room.complaints + [f"policy: {each}" for each in room.page.evaluate("window.violations ?? []")]
    assert complaints == [], complaints
