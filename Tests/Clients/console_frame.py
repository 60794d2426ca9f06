"""Checks of the whole console: hostile names, many rows, stores, keyboard, contrast, phone, dark mode, tokens and lost connections."""

import json
import os
from urllib.parse import quote, urlsplit

from playwright.sync_api import expect

from console_window import SECTIONS, BreakableProxy, addresses, store
from scenarios import SHOP, Store

GARDEN = os.path.join(os.path.dirname(__file__), "garden.storekit")


def further(name, change=lambda text: text):
    """Creates another store with the same catalog."""
    with open(GARDEN, encoding="utf-8") as file:
        store.call(f"stores?name={name}&bundleID=com.example.garden", json.loads(change(file.read())))
    return Store(f"{addresses['url']}/stores/{name}")


def hostile(window):
    """Uses markup as every name; the console must show it as text."""
    markup = "</title><script>window.violations.push('ran')</script><img src=x onerror=\"window.violations.push('ran')\">'\"&amp;"
    evil = further("hostile", lambda text: text.replace("50 seeds", json.dumps(markup)[1:-1]))
    evil.open(markup)
    evil.control("purchases", {"account": markup, "productID": f"{SHOP}seeds50"})
    page = window.go("accounts", base=evil.base)
    page.get_by_role("link", name=markup).click()
    expect(page.locator("main h1")).to_have_text(markup)
    expect(page.locator("svg.timeline-svg circle.dot")).to_have_count(1)
    page.locator("tbody a.item").first.click()
    expect(page.locator("dialog")).to_contain_text(markup)
    page.keyboard.press("Escape")
    for section in SECTIONS:
        window.go(section, base=evil.base)
        found = page.evaluate("document.querySelectorAll('main script, main img, body > script, title *').length")
        assert found == 0, f"{section}: {found} elements from a name"
        if section == "catalog":
            expect(page.get_by_text(markup).first).to_be_visible()
    assert page.evaluate("window.violations") == []


def prepare_many():
    weekly = further("many")
    weekly.open("old@example.com")
    weekly.buy("old@example.com", "weather.weekly")
    weekly.advance(1400)
    return weekly


def many(window, weekly):
    page = window.go("accounts/old%40example.com", base=weekly.base)
    expect(page.get_by_role("tab", name="Transactions 201")).to_be_visible()
    expect(page.locator("svg.timeline-svg .lane-id")).to_contain_text("201 periods")
    expect(page.locator("tbody tr")).to_have_count(60)
    page.get_by_role("button", name="Show 60 more").click()
    expect(page.locator("tbody tr")).to_have_count(120)
    page = window.go("live", base=weekly.base)
    # A page has 200 events; a renewal, the change of the subscription and the notification share one row.
    page.wait_for_function("() => document.querySelectorAll('tbody tr').length > 60")
    rows = page.locator("tbody tr").count()
    for row in page.locator("tbody tr").all_inner_texts()[:60]:
        assert "Subscription" not in row and ("Renewed" in row) == ("did renew" in row), row
    page.get_by_role("button", name="Earlier").click()
    page.wait_for_function("(rows) => document.querySelectorAll('tbody tr').length > rows + 60", arg=rows)
    for number in range(130):
        weekly.open(f"many{number}@example.com")
    page = window.go("accounts", base=weekly.base)
    expect(page.locator("tbody tr")).to_have_count(100)
    expect(page.locator("tbody tr").first).to_contain_text("many129@example.com")
    page.get_by_role("button", name="Show 31 more of 31").click()
    expect(page.locator("tbody tr")).to_have_count(131)
    # A new event moves the account of the event to the top, and the loaded pages remain.
    weekly.buy("many7@example.com", "seeds5")
    expect(page.locator("tbody tr").first).to_contain_text("many7@example.com")
    expect(page.locator("tbody tr")).to_have_count(131)


def stores(window):
    page = window.go("stores")
    page.get_by_role("button", name="New store…").click()
    page.get_by_label("Name").fill("further")
    page.get_by_label("Bundle ID").fill("com.example.garden")
    page.locator("dialog input[type=file]").set_input_files(GARDEN)
    page.get_by_role("button", name="Create store").click()
    page.locator("[data-store=further] h2 a").click()
    expect(page).to_have_url(f"{addresses['url']}/stores/further/console/")
    expect(page.locator("#stores")).to_have_value("further")
    expect(page.get_by_text("No events yet.")).to_be_visible()
    page.locator("[data-section=catalog]").click()
    expect(page.get_by_text("Almanac, yearly")).to_be_visible()
    # Import the history of an account of another store, in the format of the App Store Server API.
    history = Store(f"{addresses['url']}/stores/hostile").control("accounts")["accounts"][0]["account"]
    history = store.call(f"stores/hostile/control/v1/accounts/{quote(history, safe='')}/transactions")["signedTransactions"]
    page.locator("[data-section=accounts]").click()
    page.get_by_role("button", name="Import a history…").click()
    page.get_by_label("Account to import into").fill("past@example.com")
    page.locator("dialog input[type=file]").set_input_files(
        {"name": "history.json", "mimeType": "application/json", "buffer": json.dumps({"signedTransactions": history}).encode()})
    page.get_by_role("button", name="Import file").click()
    expect(page.locator("main h1")).to_have_text("past@example.com")
    expect(page.locator("svg.timeline-svg circle.dot")).to_have_count(1)
    # Export the store, and import the file as a new store.
    page.locator("[data-section=stores]").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export further").click()
    assert download.value.suggested_filename == "further.tillroll", download.value.suggested_filename
    page.get_by_role("button", name="Import…").click()
    page.locator("dialog input[type=file]").set_input_files(download.value.path())
    page.get_by_label("Name").fill("again")
    page.get_by_role("button", name="Import file").click()
    expect(page.locator("[data-store=again]")).to_be_visible()
    page.locator("#stores").select_option("default")
    expect(page).to_have_url(f"{addresses['url']}/console/")
    page.locator("[data-section=stores]").click()
    page.get_by_role("button", name="Remove further").click()
    page.locator("dialog button[type=submit]").click()
    expect(page.locator("[data-store=further]")).to_have_count(0)


def keyboard(window):
    page = window.page
    page.goto(addresses["url"] + "/")  # The root redirects a browser to the console.
    expect(page).to_have_url(f"{addresses['url']}/console/")
    expect(page.locator("main h1")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#stores")).to_be_focused()
    for _ in range(8):
        page.keyboard.press("Tab")
    expect(page.locator("[data-section=accounts]")).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", "the focus is not visible"
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text("Accounts")
    page.get_by_role("link", name="ada@example.com").focus()
    page.keyboard.press("Enter")
    expect(page.locator("svg.timeline-svg")).to_be_visible()
    # The timeline is one tab stop; arrow keys move inside it.
    assert page.locator("svg.timeline-svg [tabindex='0']").count() == 1
    page.locator("svg.timeline-svg [tabindex='0']").focus()
    statuses = []
    for key in ["ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowRight"]:
        page.keyboard.press(key)
        statuses.append(page.locator(".timeline-status").inner_text())
    assert len(set(statuses)) >= 3 and all("to " in each or "20" in each for each in statuses), statuses
    page.keyboard.press("Enter")
    expect(page.locator("dialog h2")).to_contain_text("Transaction")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('svg.timeline-svg') !== null"), "the focus was lost"
    page.get_by_role("tab", name="Transactions").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Charges")).to_be_focused()
    expect(page.get_by_role("tabpanel")).to_contain_text("Total paid")


STOPS = """() => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
    .filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }))
    .map((each, index) => { each.dataset.stop = index; return index; }).length"""
NAMELESS = """() => [...document.querySelectorAll("button, a[href], input, select")].filter((each) => each.checkVisibility()
    && !(each.ariaLabel || each.labels?.length || each.textContent.trim())).map((each) => each.outerHTML)"""


def reach(window):
    """The Tab key reaches every control, and every control has an accessible name."""
    for section in ["clock", "faults", "stores"]:
        page = window.go(section)
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


def phone(window):
    for section in [*SECTIONS, "accounts/ada%40example.com", "accounts/kurt%40example.com"]:
        page = window.go(section)
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"{section} scrolls horizontally by {overflow}"
        # No element may extend beyond the window, because clipped content is lost.
        out = page.evaluate("[...document.querySelectorAll('main *')].filter((each) => !each.closest('svg, thead')"
                            " && each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.className || each.tagName)")
        assert out == [], f"{section}: {out[:5]}"
    page = window.go("live")
    page.get_by_role("button", name="Purchases").click()
    expect(page.locator("tbody tr").first.locator(".named")).to_be_visible()
    page.get_by_role("combobox", name="Search").fill("example")
    options = page.get_by_role("listbox", name="Search results").get_by_role("option")
    expect(options.first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, "the results scroll horizontally"
    options.filter(has_text="ada@example.com").click()
    expect(page.locator("main h1")).to_have_text("ada@example.com")


# Finds texts with too little contrast to their background (WCAG 2.2, 1.4.3).
FAINT = """() => {
    // New rows are highlighted by an animation.
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


def contrast(window):
    for section in [*SECTIONS, "accounts/ada%40example.com"]:
        page = window.go(section)
        faint = page.evaluate(FAINT)
        assert faint == [], f"{section}: {faint}"


LUMINANCE = """(name) => {
    const parts = getComputedStyle(document.querySelector(name[0]))[name[1]].match(/[0-9.]+/g).slice(0, 3)
        .map((each) => each / 255).map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}"""


def dark(window):
    page = window.go("accounts/ada%40example.com")
    expect(page.locator("svg.timeline-svg rect.paid").first).to_be_visible()
    light = lambda *name: page.evaluate(LUMINANCE, list(name))
    ground, text = light("body", "backgroundColor"), light("body", "color")
    assert ground < 0.05, f"the background is not dark: {ground}"
    assert (text + 0.05) / (ground + 0.05) >= 7, "the contrast of text is too low"
    card, quiet, bar = light(".card", "backgroundColor"), light(".note", "color"), light("rect.paid", "fill")
    assert (quiet + 0.05) / (card + 0.05) >= 4.5, "the contrast of secondary text is too low"
    assert (bar + 0.05) / (card + 0.05) >= 3, "the contrast of bars is too low"
    contrast(window)


def token(window):
    page = window.page
    base = addresses["guarded"]
    page.goto(f"{base}/console/#/clock")
    expect(page).to_have_url(f"{base}/console/sign-in#/clock")
    page.get_by_label("Token").fill("wrong token")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The token is wrong.")
    page.get_by_label("Token").fill("open sesame")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{base}/console/#/clock")
    expect(page.locator("main h1")).to_have_text("Clock")
    assert page.evaluate("document.cookie") == "", "a script can read the cookie"
    page.reload()
    expect(page.locator("main h1")).to_have_text("Clock")
    # After the cookie expires, the console asks for the token again, and then shows the same section.
    page.locator("#clock-steps button").first.focus()
    window.context.clear_cookies()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{base}/console/sign-in#/clock")
    page.goto(f"{base}/console?token=wrong")
    expect(page.get_by_role("alert")).to_contain_text("The token is wrong.")
    page.goto(f"{base}/console?token={addresses['token']}")
    expect(page).to_have_url(f"{base}/console/")
    expect(page.get_by_text("No events yet.")).to_be_visible()


def lost(window, shop):
    """The console shows that the connection is lost, and shows all events after the connection is restored."""
    address = urlsplit(shop.base)
    proxy = BreakableProxy(address.port)
    with window.page.expect_response("**/events/stream**"):
        page = window.go("live", base=proxy.url + address.path)
    expect(page.locator("tbody tr").first).to_be_visible()
    page.evaluate("window.stillTheSame = true")
    proxy.disconnect()
    expect(page.locator("#lost")).to_contain_text("The page may show outdated data.")
    page.get_by_role("button", name="Advance the clock by a day").click()
    expect(page.locator(".notice.bad")).to_contain_text("No response from the store.")
    shop.open("mira@example.com")
    shop.buy("mira@example.com", "seeds5")
    proxy.reconnect()
    expect(page.locator("tr.fresh", has_text="Bought").filter(has_text="mira@example.com")).to_be_visible()
    expect(page.locator("#lost")).to_be_empty()
    # The error of the request during the interruption is no longer shown.
    expect(page.locator(".notice.bad")).to_have_count(0)
    assert page.evaluate("window.stillTheSame"), "the page was reloaded"


def silence(window):
    problems = window.problems + [f"policy: {each}" for each in window.page.evaluate("window.violations ?? []")]
    assert problems == [], problems
