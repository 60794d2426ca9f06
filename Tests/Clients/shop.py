"""Checks the sample app on its page in Chromium, with mouse and keyboard.

The environment variable SHOP has the URL of the page, and SHOP_COMMAND the path of `monkeyshop`. Each check prints one line of JSON:
{"check": …, "ok": …, "detail": …}. Checks write screenshots to the folder in the environment variable SHOTS, if it is set.

Two browsers take the checks from one queue. Each check is a separate visitor, with a separate store, server, phones and rate limit. A check
that kills the process of a page starts this process itself.
"""

import contextlib
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import expect, sync_playwright

URL = os.environ["SHOP"]
SHOTS = os.environ.get("SHOTS")
BROWSERS = 2
# Busy machines are slow. Only a failed check waits for the whole timeout.
expect.set_options(timeout=120_000)

WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
"""

CONTRAST = """
() => {
    const channel = (value) => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
    const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const parse = (text) => text.match(/[\\d.]+/g).map(Number);
    const ground = (element) => {
        for (let each = element; each; each = each.parentElement) {
            const color = parse(getComputedStyle(each).backgroundColor);
            if (color.length === 3 || color[3] === 1) return color;
        }
        return [255, 255, 255];
    };
    const poor = [];
    for (const element of document.querySelectorAll("body *")) {
        const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!text || !element.checkVisibility() || element.closest(":disabled, [inert], .shade, select")) continue;
        const [one, two] = [luminance(parse(getComputedStyle(element).color)), luminance(ground(element))];
        const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
        if (ratio < 4.5) poor.push(`${element.textContent.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
    return poor;
}
"""


# A PNG of one pixel.
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000"
    "000d49444154789c63389162f41f0005b4025e1f3afbcb0000000049454e44ae426082")


class Phone:
    """A visitor of the page."""

    def __init__(self, browser, name, **options):
        self.context = browser.new_context(**{"viewport": {"width": 1180, "height": 960}, **options})
        self.context.add_init_script(WATCH)
        self.context.set_default_timeout(120_000)
        self.page, self.name, self.shots, self.problems = self.context.new_page(), name, 0, []
        self.page.on("console", lambda message: self.record(message.type, message.text))
        self.page.on("pageerror", lambda error: self.record("error", str(error)))
        self.page.goto(URL)
        self.ready()

    def record(self, kind, text):
        if kind in ("error", "warning"):
            self.problems.append(text)

    def ready(self):
        expect(self.page.locator(".card button.primary:enabled").first).to_be_visible()

    def shot(self):
        if SHOTS:
            self.shots += 1
            self.page.screenshot(path=f"{SHOTS}/{self.name}-{self.shots:02}.png", full_page=True, animations="disabled")

    def tab(self, title):
        self.page.locator(".tabs").get_by_text(title, exact=True).click()
        expect(self.page.locator(".screen h2").first).to_have_text(title)

    def card(self, title):
        return self.page.locator(".card", has=self.page.get_by_role("heading", name=title, exact=True))

    def book(self, title):
        return self.page.get_by_role("region", name=title)

    def sheet(self, title):
        sheet = self.page.get_by_role("dialog", name=title)
        expect(sheet).to_be_visible()
        self.shot()
        return sheet

    def agree(self, title):
        self.sheet(title).locator("#agree").click()
        expect(self.page.get_by_role("dialog", name=title)).to_have_count(0)

    def buy(self, title, quantity=1, signs_in=False):
        card = self.card(title)
        if quantity > 1:
            card.get_by_label("Quantity").select_option(str(quantity))
        card.get_by_role("button").click()
        self.agree(f"Buy {title}?")
        if signs_in:
            self.agree("Sign in to the App Store")

    def buy_filter(self, title, signs_in=False):
        self.tab("Filters")
        self.buy(title, signs_in=signs_in)
        expect(self.card(title)).to_contain_text("Owned")

    def control(self, title):
        self.page.locator(".controls").get_by_text(title, exact=True).click()

    def add_phone(self, control, name):
        """Adds a phone, and waits until the page shows the new phone with a running app."""
        self.control(control)
        expect(self.page.get_by_role("article", name=name)).to_be_visible()
        self.ready()

    def switch(self, title):
        switch = self.page.get_by_role("switch", name=title)
        before = switch.get_attribute("aria-checked")
        switch.click()
        expect(switch).not_to_have_attribute("aria-checked", before)


def credits(phone):
    phone.buy("5 credits", quantity=3, signs_in=True)
    expect(phone.page.locator("#balance")).to_have_text("15")
    phone.shot()
    phone.page.get_by_role("button", name="Buy a banana").click()
    expect(phone.page.locator("#balance")).to_have_text("14")


def endings(phone):
    """A canceled purchase or restore shows no message, and each button is enabled again at the end."""
    phone.card("5 credits").get_by_label("Quantity").select_option("10")
    phone.card("5 credits").get_by_role("button").click()
    sheet = phone.sheet("Buy 5 credits?")
    for text in ["Price$0.99", "Quantity10", "Total$9.90"]:
        expect(sheet).to_contain_text(text)
    sheet.get_by_role("button", name="Cancel").click()
    expect(phone.card("5 credits").get_by_role("button")).to_be_enabled()
    expect(phone.page.locator(".notice, .problem")).to_have_count(0)
    phone.tab("Settings")
    restore = phone.page.get_by_role("button", name="Restore purchases")
    restore.click()
    phone.sheet("Sign in to the App Store").get_by_role("button", name="Cancel").click()
    expect(restore).to_be_enabled()
    expect(phone.page.locator(".notice, .problem")).to_have_count(0)
    restore.click()
    phone.agree("Sign in to the App Store")
    expect(phone.page.locator(".notice")).to_contain_text("There is nothing to restore.")
    expect(restore).to_be_enabled()
    phone.tab("Magazine")
    newsletter = phone.card("Treetop newsletter")
    newsletter.get_by_role("button").click()
    phone.agree("Buy Treetop newsletter?")
    expect(newsletter).to_contain_text("Owned")
    phone.shot()


def filters(phone):
    phone.tab("Filters")
    expect(phone.page.get_by_role("button", name="Sepia", exact=True)).to_have_count(0)
    phone.buy("Sepia filter", signs_in=True)
    expect(phone.card("Sepia filter")).to_contain_text("Owned")
    phone.page.get_by_role("button", name="Sepia", exact=True).click()
    expect(phone.page.locator("#picture")).to_have_css("filter", "sepia(0.9) contrast(0.95)")
    phone.shot()
    # A local picture, chosen or dropped, is shown with the filter, and is never sent to the page's server.
    sent = []
    phone.page.on("request", lambda request: sent.append(request.url) if "own" in (request.post_data or "") else None)
    phone.page.locator("#own-picture").set_input_files({"name": "own.png", "mimeType": "image/png", "buffer": PICTURE})
    expect(phone.page.locator("#picture")).to_have_attribute("src", re.compile("^blob:"))
    first = phone.page.locator("#picture").get_attribute("src")
    phone.page.evaluate("""(bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], "own.png", { type: "image/png" }));
        document.querySelector(".picture").dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: transfer }));
    }""", list(PICTURE))
    expect(phone.page.locator("#picture")).not_to_have_attribute("src", first)
    expect(phone.page.locator("#picture")).to_have_js_property("naturalWidth", 1)
    phone.page.get_by_role("button", name="Ladder").click()
    expect(phone.page.locator("#picture")).to_have_attribute("src", "ladder.svg")
    assert not sent, sent


def book(phone):
    phone.tab("Books")
    phone.buy("The Monkey Who Kept Receipts", signs_in=True)
    phone.page.get_by_role("button", name="Read", exact=True).click()
    expect(phone.page.locator(".reader")).to_contain_text("The monkey had kept every receipt")
    phone.page.get_by_role("button", name="Next", exact=True).click()
    expect(phone.page.locator(".pager")).to_contain_text("Page 2 of")
    phone.shot()


def magazine(phone):
    phone.tab("Magazine")
    phone.buy("Canopy, the monthly magazine", signs_in=True)
    expect(phone.page.locator(".screen .sentence").first).to_contain_text("The subscription renews on")
    phone.switch("Payment method valid")
    phone.control("+ 1 month")
    expect(phone.page.locator(".screen .sentence").first).to_contain_text("The payment was declined. You can read until")
    phone.shot()
    phone.switch("Payment method valid")
    phone.control("+ 1 day")
    expect(phone.page.locator(".screen .sentence").first).to_contain_text("The subscription renews on")
    phone.page.locator(".screen").get_by_text("Manage subscriptions").click()
    phone.sheet("Subscriptions").get_by_role("button", name="Cancel subscription").click()
    expect(phone.page.locator(".screen .sentence").first).to_contain_text("does not renew")


def offers(phone):
    sentence, badge = phone.page.locator(".screen .sentence").first, phone.page.locator(".badge")
    phone.tab("Magazine")
    expect(phone.card("Canopy Plus")).to_contain_text("1 week for free, then $4.99 / 1 month")
    phone.shot()
    phone.buy("Canopy, the monthly magazine", signs_in=True)
    expect(sentence).to_contain_text("The subscription renews on")
    phone.card("Canopy Plus").get_by_role("button", name="Upgrade").click()
    phone.agree("Buy Canopy Plus?")
    expect(phone.card("Canopy Plus")).to_contain_text("Subscribed")
    phone.shot()
    phone.card("Canopy, the monthly magazine").get_by_role("button", name="Change").click()
    phone.agree("Buy Canopy, the monthly magazine?")
    expect(sentence).to_contain_text("The subscription changes to Canopy, the monthly magazine on")
    phone.control("+ 1 month")
    expect(phone.card("Canopy, the monthly magazine")).to_contain_text("Subscribed")
    phone.page.locator(".screen").get_by_text("Manage subscriptions").click()
    phone.sheet("Subscriptions").get_by_role("button", name="Cancel subscription").click()
    phone.page.get_by_role("button", name="Come back: $0.99 / 1 month, 3 times").click()
    phone.agree("Buy Canopy, the monthly magazine?")
    expect(sentence).to_contain_text("The subscription renews on")
    phone.card("Summer pass").get_by_role("button").click()
    phone.agree("Buy Summer pass?")
    expect(phone.card("Summer pass")).to_contain_text("Until")
    phone.shot()


def code(phone):
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Redeem a code").click()
    sheet = phone.sheet("Redeem an offer code")
    sheet.get_by_label("Code").fill("BANANA")
    sheet.get_by_role("button", name="Redeem").click()
    phone.agree("Sign in to the App Store")
    expect(phone.page.locator(".purchase")).to_contain_text("Canopy, the monthly magazine")
    phone.page.get_by_role("button", name="Redeem a code").click()
    sheet = phone.sheet("Redeem an offer code")
    sheet.get_by_label("Code").fill("APPLE")
    sheet.get_by_role("button", name="Redeem").click()
    phone.sheet("The code APPLE was not redeemed").get_by_role("button", name="OK").click()


def german(phone):
    expect(phone.page.locator("main")).to_have_attribute("lang", "de")
    expect(phone.card("5 Guthaben").get_by_role("button")).to_contain_text("0,99\u00a0€")
    phone.card("5 Guthaben").get_by_role("button").click()
    phone.sheet("5 Guthaben kaufen?").locator("#agree").click()
    phone.agree("Im App Store anmelden")
    expect(phone.page.locator("#balance")).to_have_text("5")
    for title in ["Guthaben", "Filter", "Bücher", "Magazin", "Einstellungen"]:
        phone.tab(title)
        width = phone.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, f"{title} is {width} wide"
        phone.shot()
    text = phone.page.locator(".stage").inner_text() + phone.page.locator(".controls").inner_text()
    for word in ["Restore", "Purchases", "Settings", "Network", "Erase"]:
        assert word not in text, word
    phone.page.get_by_role("button", name="English").click()
    expect(phone.page.locator("main")).to_have_attribute("lang", "en")
    phone.tab("Credits")
    expect(phone.card("5 credits").get_by_role("button")).to_contain_text("$0.99")
    expect(phone.page.locator("#balance")).to_have_text("5")


def refund(phone):
    phone.buy_filter("Moonlight filter", signs_in=True)
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Request a refund").click()
    sheet = phone.sheet("Request a refund for Moonlight filter")
    reason = sheet.get_by_label("I did not mean to buy this")
    reason.check()
    # An event from the server does not change the selected reason.
    phone.page.evaluate("fetch('act', { method: 'POST', body: new URLSearchParams({ do: 'speed', on: '0' }), headers: { Accept: 'text/event-stream' } })")
    expect(phone.page.get_by_role("switch", name="Fast downloads", include_hidden=True)).to_have_attribute("aria-checked", "false")
    expect(reason).to_be_checked()
    sheet.get_by_role("button", name="Request").click()
    phone.page.get_by_role("button", name="Grant the refund").click()
    expect(phone.page.locator(".purchase")).to_contain_text("Refunded")
    phone.shot()


def debt(phone):
    """A refund reduces the balance, below zero if the credits were spent."""
    phone.control("Refund the latest purchase")
    expect(phone.page.locator(".controls").get_by_role("alert")).to_contain_text("Jane has no purchase that can be refunded.")
    phone.buy("5 credits", signs_in=True)
    expect(phone.page.locator("#balance")).to_have_text("5")
    phone.buy("5 credits")
    expect(phone.page.locator("#balance")).to_have_text("10")
    phone.page.get_by_role("button", name="Buy a banana").click()
    expect(phone.page.locator("#balance")).to_have_text("9")
    phone.control("Refund the latest purchase")
    expect(phone.page.locator("#balance")).to_have_text("4")
    phone.control("Refund the latest purchase")
    expect(phone.page.locator("#balance")).to_have_text("-1")
    expect(phone.page.get_by_role("button", name="Buy a banana")).to_be_disabled()
    phone.shot()


def refunded_book(phone):
    """After a refund the book can't be read, and a restore finds nothing to download."""
    phone.tab("Books")
    phone.buy("The Monkey Who Kept Receipts", signs_in=True)
    expect(phone.page.get_by_role("button", name="Read", exact=True)).to_be_visible()
    phone.control("Refund the latest purchase")
    expect(phone.page.get_by_role("button", name="Read", exact=True)).to_have_count(0)
    expect(phone.card("The Monkey Who Kept Receipts").get_by_role("button")).to_contain_text("$4.99")
    phone.control("Erase the phone")
    phone.tab("Settings")
    expect(phone.page.locator(".screen")).to_contain_text("Not signed in")
    phone.page.get_by_role("button", name="Restore purchases").click()
    phone.agree("Sign in to the App Store")
    expect(phone.page.locator(".notice")).to_contain_text("There is nothing to restore.")
    phone.tab("Books")
    expect(phone.card("The Monkey Who Kept Receipts").get_by_role("button")).to_contain_text("$4.99")
    expect(phone.page.locator(".download")).to_have_count(0)
    expect(phone.page.get_by_role("button", name="Read", exact=True)).to_have_count(0)


def network(phone):
    phone.switch("Network")
    expect(phone.page.locator(".problem").first).to_contain_text("Network down?")
    phone.shot()
    phone.switch("Network")
    expect(phone.page.locator(".problem")).to_have_count(0)


def restrictions(phone):
    phone.switch("Purchases allowed")
    expect(phone.page.get_by_role("alert")).to_contain_text("In-app purchases are not allowed.")
    expect(phone.card("5 credits").get_by_role("button")).to_be_disabled()
    phone.shot()
    phone.switch("Purchases allowed")
    phone.ready()


def restore(phone):
    phone.buy_filter("Sepia filter", signs_in=True)
    phone.control("Kill the app")
    expect(phone.page.locator(".home")).to_contain_text("The app is closed.")
    widths = [phone.page.locator(part).evaluate("(each) => each.clientWidth") for part in [".phone", ".tabs"]]
    assert widths[0] == widths[1], f"the tabs of a closed app are narrower than the phone: {widths}"
    phone.shot()
    phone.page.get_by_role("button", name="MonkeyShop").click()
    expect(phone.card("Sepia filter")).to_contain_text("Owned")
    phone.add_phone("Jane’s next phone", "Jane’s phone 2")
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Restore purchases").click()
    phone.agree("Sign in to the App Store")
    phone.agree("What do you want to restore?")
    expect(phone.page.locator(".notice")).to_contain_text("Restored one purchase.")
    phone.shot()


def erase(phone):
    """An erased phone has no purchases and no account, and restores only the chosen products."""
    phone.buy_filter("Sepia filter", signs_in=True)
    phone.buy("Moonlight filter")
    expect(phone.card("Moonlight filter")).to_contain_text("Owned")
    phone.control("Erase the phone")
    phone.tab("Settings")
    expect(phone.page.locator(".screen")).to_contain_text("Not signed in")
    phone.page.get_by_role("button", name="Restore purchases").click()
    phone.agree("Sign in to the App Store")
    sheet = phone.sheet("What do you want to restore?")
    sheet.get_by_label("Moonlight filter").uncheck()
    sheet.locator("#agree").click()
    expect(phone.page.locator(".notice")).to_contain_text("Restored one purchase.")
    phone.shot()
    phone.tab("Filters")
    expect(phone.card("Sepia filter")).to_contain_text("Owned")


def declined(phone):
    """A declined payment shows an error with advice, and the next purchase succeeds."""
    phone.switch("Payment method valid")
    phone.buy("5 credits", signs_in=True)
    # The message is general, because StoreKit does not report a declined payment to the app.
    expect(phone.page.locator(".notice")).to_contain_text("The request to the store failed. Try again later.")
    phone.shot()
    phone.switch("Payment method valid")
    phone.buy("5 credits")
    expect(phone.page.locator("#balance")).to_have_text("5")


def transfer(phone):
    """A restore by another customer with the same account transfers the purchases, according to the server's transfer policy."""
    phone.buy_filter("Sepia filter", signs_in=True)
    phone.add_phone("A child’s phone", "Sam’s phone")
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Restore purchases").click()
    sheet = phone.sheet("Sign in to the App Store")
    sheet.get_by_label("Account").fill("jane@example.com")
    sheet.locator("#agree").click()
    phone.agree("What do you want to restore?")
    expect(phone.page.locator(".notice")).to_contain_text("Restored one purchase.")
    expect(phone.page.locator(".purchase")).to_contain_text("Owned")
    phone.page.get_by_role("button", name="Jane’s phone", exact=True).click()
    expect(phone.page.get_by_role("article", name="Jane’s phone", exact=True)).to_be_visible()
    phone.tab("Settings")
    phone.control("+ 1 day")
    expect(phone.page.locator(".purchase")).to_have_count(0)
    phone.shot()


def approval(phone):
    phone.add_phone("A child’s phone", "Sam’s phone")
    phone.buy("10 credits", signs_in=True)
    phone.agree("Ask your parent to buy 10 credits?")
    phone.page.get_by_role("button", name="Approve").click()
    expect(phone.page.locator("#balance")).to_have_text("10")
    phone.shot()


def backup(phone):
    phone.buy("5 credits", quantity=2, signs_in=True)
    expect(phone.page.locator("#balance")).to_have_text("10")
    phone.control("Back up")
    expect(phone.page.get_by_role("button", name="Restore the backup")).to_be_enabled()
    phone.ready()
    phone.page.get_by_role("button", name="Buy a banana").click()
    expect(phone.page.locator("#balance")).to_have_text("9")
    phone.switch("Network")
    phone.control("Restore the backup")
    # The backup's balance is too high by one credit, so debits are refused until the server has confirmed the balance.
    expect(phone.page.locator(".notes")).to_contain_text("Your purchases were restored from a backup")
    phone.shot()
    phone.switch("Network")
    expect(phone.page.locator(".problem")).to_have_count(0)
    expect(phone.page.locator("#balance")).to_have_text("9")


def vault(phone):
    phone.buy_filter("Sepia filter", signs_in=True)
    phone.control("Edit the vault")
    expect(phone.page.get_by_role("alert")).to_contain_text("The vault was changed by another program")
    phone.shot()
    phone.page.get_by_role("button", name="Reset, then restore").click()
    expect(phone.card("Sepia filter")).to_contain_text("Owned")


def new_phone(phone):
    phone.buy_filter("Sepia filter", signs_in=True)
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Receipt", exact=True).click()
    expect(phone.page.locator(".screen")).to_contain_text("signature verified")
    expect(phone.page.locator(".screen")).to_contain_text("Sepia filter")
    phone.shot()
    # The production endpoint refuses the sandbox receipt, which is then sent to the sandbox endpoint.
    phone.page.get_by_role("button", name="Ask the App Store’s verifyReceipt").click()
    expect(phone.page.locator(".screen")).to_contain_text("Status 0: the receipt is valid.")
    expect(phone.page.locator(".message", has_text="POST /production/verifyReceipt").locator(".answer")).to_have_text("21007")
    expect(phone.page.locator(".message", has_text="POST /sandbox/verifyReceipt").locator(".answer")).to_have_text("0")
    phone.shot()
    phone.page.get_by_role("button", name="Close the receipt").click()
    phone.page.get_by_role("button", name="Receipt", exact=True).click()
    phone.page.get_by_role("button", name="Ask the server’s verifyReceipt").click()
    expect(phone.page.locator(".screen")).to_contain_text("Status 0: the receipt is valid.")
    expect(phone.page.locator(".message", has_text="POST /verifyReceipt").locator(".answer")).to_have_text("0")
    phone.page.get_by_role("button", name="Close the receipt").click()
    phone.page.get_by_role("button", name="Send purchases to a new phone").click()
    expect(phone.page.get_by_role("article", name="Jane’s phone 2")).to_be_visible()
    expect(phone.page.locator(".notice")).to_contain_text("Your purchases are on this phone now.")
    phone.tab("Filters")
    expect(phone.card("Sepia filter")).to_contain_text("Owned")
    phone.shot()


def messages(phone):
    phone.buy("10 credits", signs_in=True)
    expect(phone.page.locator("#balance")).to_have_text("10")
    phone.page.locator(".message", has_text="POST /v1/purchases").first.click()
    expect(phone.page.locator(".bodies")).to_contain_text("monkeyshop.credits10")
    expect(phone.page.locator(".bodies")).to_contain_text("Signature verified")
    expect(phone.page.locator(".steps li").first).to_contain_text("✓")
    phone.page.evaluate("document.getElementById('messages').scrollTop = 500")
    phone.shot()
    phone.page.get_by_role("button", name="Buy a banana").click()
    expect(phone.page.locator("#balance")).to_have_text("9")
    assert phone.page.evaluate("document.getElementById('messages').scrollTop") == 500, "the list of messages has scrolled back"
    expect(phone.page.locator(".message.store-server")).to_contain_text("ONE_TIME_CHARGE")
    phone.shot()


def keyboard(phone):
    phone.card("5 credits").get_by_role("button").focus()
    phone.page.keyboard.press("Enter")
    phone.sheet("Buy 5 credits?")
    expect(phone.page.locator("#agree")).to_be_focused()
    phone.page.keyboard.press("Escape")
    expect(phone.page.get_by_role("dialog")).to_have_count(0)
    # A switch keeps the focus when its own event or the event of another switch replaces the element.
    for name in ["Fast downloads", "Purchases allowed"]:
        switch = phone.page.get_by_role("switch", name=name)
        switch.press("Enter")
        expect(switch).to_have_attribute("aria-checked", "false")
        expect(switch).to_be_focused()
    for control in phone.page.locator("button, select, input:not([type=hidden])").all():
        name = control.evaluate("(each) => each.ariaLabel || each.textContent.trim() || each.labels?.[0]?.textContent.trim()")
        assert name, control.evaluate("(each) => each.outerHTML")


def contrast(phone):
    for title in ["Credits", "Filters", "Books", "Magazine", "Settings"]:
        phone.tab(title)
        poor = phone.page.evaluate(CONTRAST)
        assert not poor, f"{title}: {poor}"
        phone.shot()


def narrow(phone):
    for title in ["Credits", "Filters", "Books", "Magazine", "Settings"]:
        phone.tab(title)
        width = phone.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, f"{title} is {width} wide"
        phone.shot()


def serve(folder, port, *options):
    """Starts a separate page, and returns the process and the address of the page."""
    arguments = [os.environ["SHOP_COMMAND"], "serve", "--folder", folder, "--port", str(port), "--json", *options]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    return process, json.loads(process.stdout.readline())["shop"]


def app_processes(process):
    """Returns the IDs of the running app processes that a page has started."""
    listed = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "shop phone"], stdout=subprocess.PIPE, text=True, check=False)
    return [int(pid) for pid in listed.stdout.split()]


def has_ended(process):
    """Whether a process has ended, also if its parent has not yet read its status."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return ") Z " in file.read()
    except (FileNotFoundError, ProcessLookupError):
        return True


def until(condition):
    """Waits for a condition that is not visible on a page."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "the condition is not fulfilled"
        time.sleep(0.05)


def process(phone):
    """No purchase is lost when the page or another program kills the process of an app with SIGKILL."""
    folder = tempfile.mkdtemp()
    page, address = serve(folder, 0, "--processes")
    try:
        phone.page.goto(address)
        phone.ready()
        [app] = app_processes(page)
        phone.buy("5 credits", quantity=2, signs_in=True)
        expect(phone.page.locator("#balance")).to_have_text("10")
        phone.card("10 credits").get_by_role("button").click()
        phone.sheet("Buy 10 credits?").locator("#agree").click()
        phone.control("Kill the app")
        expect(phone.page.locator(".home")).to_contain_text("The app is closed.")
        until(lambda: not app_processes(page))
        phone.page.get_by_role("button", name="MonkeyShop").click()
        phone.ready()
        # The purchase either completed before the kill and is delivered now, or did not take place.
        expect(phone.page.locator("#balance")).to_have_text(re.compile("^(10|20)$"))
        [second] = app_processes(page)
        assert second != app
        phone.card("10 credits").get_by_role("button").click()
        phone.sheet("Buy 10 credits?")
        os.kill(second, signal.SIGKILL)
        expect(phone.page.locator(".home")).to_contain_text("The app is closed.")
        phone.shot()
        phone.page.get_by_role("button", name="MonkeyShop").click()
        phone.ready()
        phone.tab("Filters")
        phone.buy("Sepia filter")
        expect(phone.card("Sepia filter")).to_contain_text("Owned")
        # When the page's process ends, the app processes end, even if a sheet waits for an answer.
        [third] = app_processes(page)
        phone.card("Moonlight filter").get_by_role("button").click()
        phone.sheet("Buy Moonlight filter?")
        page.kill()
        page.wait()
        until(lambda: has_ended(third))
        expect(phone.page.locator("#lost")).to_be_visible()
        page, _ = serve(folder, address.rsplit(":", 1)[1].strip("/"), "--processes")
        expect(phone.page.locator("#lost")).to_be_hidden()
        phone.ready()
        phone.tab("Filters")
        expect(phone.card("Sepia filter")).to_contain_text("Owned")
        # After several concurrent launches, one app process runs, and the page can still be stopped.
        phone.control("Kill the app")
        expect(phone.page.locator(".home")).to_contain_text("The app is closed.")
        phone.page.evaluate("""async () => {
            const open = { method: "POST", body: new URLSearchParams({ do: "open" }), headers: { Accept: "text/event-stream" } };
            for (let number = 0; number < 6; number += 1) await fetch("act", open);
        }""")
        expect(phone.card("Sepia filter")).to_contain_text("Owned")
        for _ in range(20):
            time.sleep(0.1)
            until(lambda: len(app_processes(page)) == 1)
        phone.page.goto("about:blank")
        page.terminate()
        assert page.wait(timeout=120) == 0
        phone.problems.clear()  # Ignores the browser's messages about the lost connection.
    finally:
        page.kill()
        page.wait()
        shutil.rmtree(folder)


def killed(phone):
    """No purchase is lost when the process of page, app, store and server is killed with SIGKILL during a purchase."""
    folder = tempfile.mkdtemp()
    process, address = serve(folder, 0)
    try:
        phone.page.goto(address)
        phone.ready()
        phone.buy("5 credits", quantity=2, signs_in=True)
        expect(phone.page.locator("#balance")).to_have_text("10")
        phone.add_phone("A child’s phone", "Sam’s phone")
        phone.page.get_by_role("button", name="Jane’s phone", exact=True).click()
        phone.ready()
        phone.card("10 credits").get_by_role("button").click()
        phone.sheet("Buy 10 credits?").locator("#agree").click()
        process.kill()
        process.wait()
        expect(phone.page.locator("#lost")).to_be_visible()
        phone.shot()
        process, _ = serve(folder, address.rsplit(":", 1)[1].strip("/"))
        # The page connects again without a reload. The purchase either completed before the kill and is delivered now, or did not take place.
        expect(phone.page.locator("#lost")).to_be_hidden()
        phone.ready()
        expect(phone.page.locator("#balance")).to_have_text(re.compile("^(10|20)$"))
        expect(phone.page.get_by_role("button", name="Sam’s phone")).to_be_visible()
        phone.page.get_by_role("button", name="Buy a banana").click()
        expect(phone.page.locator("#balance")).to_have_text(re.compile("^(9|19)$"))
        phone.shot()
        phone.page.goto("about:blank")
        phone.problems.clear()  # Ignores the browser's messages about the lost connection.
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder)


# The texts that the phone shows at the ten stops of the tour.
STOPS = [
    "$1.99", "15", "One banana, as ordered.", "credits", "Owned", "The monkey had kept every receipt", "The payment was declined. You can read until",
    "$1.99", "Restored one purchase.", "Restored one purchase.",
]


def rate_limited(phone):
    """The page shows a message when actions beyond the rate limit are refused."""
    phone.page.evaluate("() => { for (let number = 0; number < 200; number += 1) document.querySelector('.tabs button').click(); }")
    expect(phone.page.locator("#rate-limited")).to_be_visible()
    phone.shot()
    phone.page.goto("about:blank")
    assert all("429" in problem for problem in phone.problems), phone.problems
    phone.problems.clear()


def offline(phone):
    """A payment without a network waits on the phone, survives the end of the app, and is sent once."""
    phone.buy("5 credits", signs_in=True)
    expect(phone.page.locator("#balance")).to_have_text("5")
    phone.switch("Network")
    phone.card("10 credits").get_by_role("button").click()
    expect(phone.page.locator(".notice")).to_contain_text("The payment waits on this phone until the network is back.")
    phone.shot()
    phone.control("Kill the app")
    phone.page.get_by_role("button", name="MonkeyShop").click()
    expect(phone.page.locator(".problem").first).to_contain_text("Network down?")
    phone.switch("Network")
    phone.agree("Buy 10 credits?")
    expect(phone.page.locator("#balance")).to_have_text("15")
    phone.control("Kill the app")
    phone.page.get_by_role("button", name="MonkeyShop").click()
    phone.ready()
    expect(phone.page.locator("#balance")).to_have_text("15")
    expect(phone.page.get_by_role("dialog")).to_have_count(0)
    # The next payment without a network also waits.
    phone.switch("Network")
    phone.card("10 credits").get_by_role("button").click()
    expect(phone.page.locator(".notice")).to_contain_text("The payment waits on this phone until the network is back.")
    phone.switch("Network")
    phone.agree("Buy 10 credits?")
    expect(phone.page.locator("#balance")).to_have_text("25")


def again(phone):
    """A second purchase of an owned filter is free of charge, and delivered like the first purchase."""
    phone.buy_filter("Sepia filter", signs_in=True)
    phone.page.get_by_role("button", name="Dismiss").click()
    expect(phone.page.locator(".notice")).to_have_count(0)
    phone.card("Sepia filter").get_by_role("button", name="Buy again").click()
    phone.agree("Buy Sepia filter?")
    expect(phone.page.locator(".notice")).to_contain_text("Thank you!")
    phone.tab("Settings")
    expect(phone.page.locator(".purchase")).to_have_count(1)
    phone.page.get_by_role("button", name="Receipt", exact=True).click()
    expect(phone.page.locator(".screen")).to_contain_text("signature verified")
    expect(phone.page.locator(".purchase:not(.receipt)")).to_have_count(1)


def receipt(phone):
    """A phone without a receipt fetches the receipt, and a second fetch changes nothing."""
    phone.buy("5 credits", signs_in=True)
    expect(phone.page.locator("#balance")).to_have_text("5")
    phone.buy_filter("Sepia filter")
    # The list has the latest messages only, so new messages are found by their increasing numbers.
    submissions = phone.page.locator(".message", has_text="POST /v1/purchases")
    newest = "(all) => Math.max(0, ...all.map((each) => Number(each.value)))"
    expect(submissions.first).to_be_visible()
    latest = submissions.evaluate_all(newest)
    phone.add_phone("Jane’s next phone", "Jane’s phone 2")
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Receipt", exact=True).click()
    expect(phone.page.locator(".notice")).to_contain_text("This phone has no receipt yet.")
    for number in range(2):
        phone.page.get_by_role("button", name="Refresh the receipt").click()
        if number == 0:
            phone.agree("Sign in to the App Store")
        expect(phone.page.locator(".screen")).to_contain_text("signature verified")
        expect(phone.page.locator(".purchase:not(.receipt)")).to_have_text(re.compile("Sepia filter"))
        phone.shot()
        phone.page.get_by_role("button", name="Close the receipt").click()
    # The fetched receipt caused no submission of a transaction.
    assert submissions.evaluate_all(newest) in (0, latest)


def download(phone):
    """A paused download survives the end of the app, and resumes without starting again."""
    phone.switch("Fast downloads")
    phone.tab("Books")
    phone.buy("The Monkey Who Kept Receipts", signs_in=True)
    percent = "document.querySelector('progress')?.value ?? -1"
    phone.page.wait_for_function(f"() => ({percent}) >= 10")
    phone.shot()
    phone.page.get_by_role("button", name="Pause").click()
    expect(phone.page.locator(".download")).to_contain_text("Paused")
    paused = phone.page.evaluate(percent)
    phone.control("Kill the app")
    phone.page.get_by_role("button", name="MonkeyShop").click()
    # A paused download is still paused after a launch, and resumes without starting again.
    expect(phone.page.locator(".download")).to_contain_text("Paused")
    phone.page.get_by_role("button", name="Resume").click()
    expect(phone.page.locator(".download")).not_to_contain_text("Paused")
    phone.page.wait_for_function(f"() => ({percent}) > 0")
    assert phone.page.evaluate(percent) >= paused, f"{phone.page.evaluate(percent)} % after {paused} %"
    phone.shot()
    phone.switch("Fast downloads")
    phone.page.get_by_role("button", name="Read", exact=True).click()
    expect(phone.page.locator(".reader")).to_contain_text("The monkey had kept every receipt")


def other_phone(phone):
    """An encrypted backup opens on a new phone; an unencrypted one lacks the vault's key, and the purchases are restored."""
    phone.buy_filter("Sepia filter", signs_in=True)
    phone.control("Back up")
    phone.ready()
    phone.control("Restore on a new phone")
    expect(phone.page.get_by_role("article", name="Jane’s phone 2")).to_be_visible()
    phone.ready()
    phone.tab("Filters")
    expect(phone.card("Sepia filter")).to_contain_text("Owned")
    phone.shot()
    phone.page.get_by_role("button", name="Jane’s phone", exact=True).click()
    expect(phone.page.get_by_role("article", name="Jane’s phone", exact=True)).to_be_visible()
    phone.control("Restore unencrypted on a new phone")
    expect(phone.page.get_by_role("article", name="Jane’s phone 3")).to_be_visible()
    expect(phone.page.get_by_role("alert")).to_contain_text("This device has no key for the vault")
    phone.shot()
    phone.page.get_by_role("button", name="Reset, then restore").click()
    phone.ready()
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Restore purchases").click()
    # The backup contains the account, so no sheet asks to sign in.
    phone.agree("What do you want to restore?")
    expect(phone.page.locator(".notice")).to_contain_text("Restored one purchase.")
    phone.shot()


def new_product(phone):
    """The app offers a product that the App Store begins to sell, without an update, because the server lists the product."""
    expect(phone.card("Winter hat")).to_have_count(0)
    phone.control("Sell the winter hat")
    expect(phone.card("Winter hat").get_by_role("button")).to_have_text("$3.99")
    phone.shot()
    phone.buy("Winter hat", signs_in=True)
    expect(phone.card("Winter hat")).to_contain_text("Owned")
    expect(phone.page.get_by_role("button", name="Sell the winter hat")).to_be_disabled()
    # The product is also for sale in the other storefront.
    phone.page.get_by_role("button", name="Deutsch").click()
    expect(phone.card("Wintermütze")).to_be_visible()


def only_mine(phone):
    """A restore that is limited to a user does not restore purchases of other users with the same account."""
    phone.buy_filter("Sepia filter", signs_in=True)
    phone.add_phone("A child’s phone", "Sam’s phone")
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Restore only Sam’s purchases").click()
    sheet = phone.sheet("Sign in to the App Store")
    sheet.get_by_label("Account").fill("jane@example.com")
    sheet.locator("#agree").click()
    expect(phone.page.locator(".notice")).to_contain_text("There is nothing to restore.")
    expect(phone.page.locator(".purchase")).to_have_count(0)
    phone.shot()
    phone.add_phone("Jane’s next phone", "Jane’s phone 2")
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Restore only Jane’s purchases").click()
    phone.agree("Sign in to the App Store")
    phone.agree("What do you want to restore?")
    expect(phone.page.locator(".notice")).to_contain_text("Restored one purchase.")
    expect(phone.page.locator(".purchase")).to_contain_text("Owned")


def content(phone):
    """The server sends the book to the owner, and not for a changed receipt, another app's receipt, or after a refund."""
    answer = phone.page.locator("#content-answer")

    # The list has the latest messages only, so new messages are found by their increasing numbers.
    requests = set()

    def is_refused():
        latest = phone.page.locator(".message", has_text="/download-tokens").first
        for known in requests:
            expect(latest).not_to_have_attribute("value", known)
        expect(latest).to_have_class(re.compile("failure"))
        requests.add(latest.get_attribute("value"))

    phone.control("Request the book")
    expect(answer).to_contain_text("The server does not send the book.")
    is_refused()
    phone.buy_filter("Sepia filter", signs_in=True)
    phone.control("Request with a changed receipt")
    refusal = "This receipt alone gives no access to the book. The receipt is refused: "
    expect(answer).to_contain_text(f"{refusal}its signature is invalid. There is no purchase of the book.")
    is_refused()
    phone.control("Request with another app’s receipt")
    expect(answer).to_contain_text(f"{refusal}it belongs to another app. There is no purchase of the book.")
    is_refused()
    phone.shot()
    phone.tab("Books")
    phone.buy("The Monkey Who Kept Receipts", signs_in=False)
    expect(phone.book("The Monkey Who Kept Receipts").get_by_role("button", name="Read")).to_be_visible()
    phone.control("Request the book")
    expect(answer).to_contain_text("The server sends the-monkey-who-kept-receipts.txt")
    # The customer owns the book now, but these receipts still give no access.
    phone.control("Request with a changed receipt")
    expect(answer).to_contain_text(f"{refusal}its signature is invalid. There is no purchase of the book.")
    is_refused()
    phone.control("Request with another app’s receipt")
    expect(answer).to_contain_text(f"{refusal}it belongs to another app. There is no purchase of the book.")
    is_refused()
    phone.shot()
    phone.control("Refund the latest purchase")
    expect(phone.card("The Monkey Who Kept Receipts")).not_to_contain_text("Owned")
    phone.control("Request the book")
    expect(answer).to_contain_text("refunded")
    is_refused()
    phone.shot()


def reinstall(phone):
    """A reinstalled app shows that the vault is lost, resets the vault on request, and restores purchases."""
    phone.buy_filter("Sepia filter", signs_in=True)
    # A reinstalled app receives a transaction again that the App Store does not know as finished, and with it the receipt.
    expect(phone.page.locator(".message", has_text="POST /device/v1/finish").first).to_be_visible()
    phone.control("Reinstall the app")
    expect(phone.page.get_by_role("alert")).to_contain_text("vault")
    phone.shot()
    phone.page.get_by_role("button", name="Reset, then restore").click()
    phone.ready()
    phone.tab("Settings")
    # The phone is still signed in.
    expect(phone.page.locator(".screen")).to_contain_text("jane@example.com")
    phone.page.get_by_role("button", name="Receipt", exact=True).click()
    expect(phone.page.locator(".notice")).to_contain_text("This phone has no receipt yet.")
    phone.page.get_by_role("button", name="Restore purchases").click()
    phone.agree("What do you want to restore?")
    expect(phone.page.locator(".notice")).to_contain_text("Restored one purchase.")
    phone.tab("Filters")
    expect(phone.card("Sepia filter")).to_contain_text("Owned")


def later(phone):
    """A large book is downloaded on request with the stored transaction, and as often as needed."""
    title = "The Atlas of Every Banana"
    book = phone.book(title)
    phone.tab("Books")
    phone.buy(title, signs_in=True)
    expect(book).to_contain_text("Owned")
    expect(book).to_contain_text("Ready to download")
    expect(book.get_by_role("button", name="Read")).to_have_count(0)
    phone.shot()
    phone.control("Kill the app")
    phone.page.get_by_role("button", name="MonkeyShop").click()
    phone.ready()
    for _ in range(2):
        book.get_by_role("button", name="Download", exact=True).click()
        book.get_by_role("button", name="Read").click()
        expect(phone.page.locator(".reader")).to_contain_text("Every banana has a place")
        phone.page.get_by_role("button", name="Close the book").click()
        book.get_by_role("button", name="Remove from this phone").click()
        expect(book).to_contain_text("Ready to download")
    # A failed download continues when the network is available again.
    phone.switch("Fast downloads")
    book.get_by_role("button", name="Download", exact=True).click()
    expect(book.locator("progress")).to_be_visible()
    phone.switch("Network")
    phone.switch("Fast downloads")
    expect(phone.page.locator(".notice")).to_contain_text("The connection was lost")
    expect(book.get_by_role("button", name="Read")).to_have_count(0)
    book.get_by_role("button", name="Download", exact=True).click()
    expect(phone.page.locator(".notice")).to_contain_text("The device has no network.")
    phone.switch("Network")
    expect(book.get_by_role("button", name="Read")).to_be_visible()
    phone.shot()
    # Jane's second phone knows the purchase, but lacks the content and a transaction to download it.
    phone.add_phone("Jane’s next phone", "Jane’s phone 2")
    phone.tab("Books")
    expect(book).to_contain_text("Restore your purchases to download the book.")
    expect(book.get_by_role("button", name="Read")).to_have_count(0)


def hosted(phone):
    """The download of content that the App Store hosts is paused, resumed and canceled, and starts again after a restore."""
    title = "Songs of the Canopy"
    book = phone.book(title)
    phone.switch("Fast downloads")
    phone.tab("Books")
    phone.buy(title, signs_in=True)
    expect(book.locator(".download")).to_contain_text(re.compile(r"\d+ % of \d+ kB, \d+ sec left"))
    phone.shot()
    book.get_by_role("button", name="Pause").click()
    expect(book.locator(".download")).to_contain_text("Paused")
    # A paused download does not block other actions.
    date = phone.page.locator(".controls time")
    day = date.inner_text()
    phone.control("+ 1 day")
    expect(date).not_to_have_text(day)
    phone.control("Kill the app")
    phone.page.get_by_role("button", name="MonkeyShop").click()
    phone.ready()
    expect(book.locator(".download")).to_contain_text("Paused")
    book.get_by_role("button", name="Resume").click()
    expect(book.locator(".download")).not_to_contain_text("Paused")
    book.get_by_role("button", name="Cancel the download").click()
    expect(book.locator(".download")).to_contain_text("Canceled")
    expect(phone.page.locator(".problem")).to_have_count(0)
    phone.shot()
    phone.switch("Fast downloads")
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Restore purchases").click()
    phone.agree("What do you want to restore?")
    expect(phone.page.locator(".notice")).to_contain_text("Restored one purchase.")
    phone.tab("Books")
    book.get_by_role("button", name="Read").click()
    expect(phone.page.locator(".reader")).to_contain_text("Sing these in the rain")
    phone.shot()


def tour(phone):
    for number, text in enumerate(STOPS):
        expect(phone.page.locator(".tour")).to_contain_text(f"Stop {number + 1} of 10")
        next_stop = phone.page.get_by_role("button", name="Next stop")
        expect(next_stop).not_to_have_class("primary")
        show_me = phone.page.get_by_role("button", name="Show me")
        show_me.press("Enter")
        # “Next stop” is the primary button when the script of this stop has ended.
        expect(next_stop).to_have_class("primary")
        # The button was disabled while the script ran, and then has the focus again, unless a sheet took the focus.
        if number == 0:
            expect(show_me).to_be_focused()
        expect(phone.page.locator(".screen, .notes").filter(has_text=text).first).to_be_visible()
        if number == 7:
            expect(phone.card("Sepia filter").get_by_role("button")).to_be_enabled()
        phone.shot()
        if number < 9:
            next_stop.click()
    expect(phone.page.locator(".bodies")).to_contain_text("signed (JWS)")
    phone.page.get_by_role("button", name="End the tour").click()
    expect(phone.page.locator(".tour")).to_have_count(0)


def link(phone):
    phone.buy("5 credits", quantity=3, signs_in=True)
    expect(phone.page.locator("#balance")).to_have_text("15")
    phone.buy_filter("Sepia filter")
    phone.page.get_by_role("button", name="Sepia", exact=True).click()
    expect(phone.page.locator("#picture")).to_have_class("filter-sepia")
    date = phone.page.locator(".controls time")
    before = date.inner_text()
    phone.control("+ 1 month")
    expect(date).not_to_have_text(before)
    address = phone.page.locator("#link").evaluate("(link) => link.href")
    day = date.inner_text()
    # First a person who is not a visitor yet follows the link, and then the visitor.
    other = phone.page.context.browser.new_context()
    page = other.new_page()
    for each in [page, phone.page]:
        each.goto(address)
        expect(each.locator("main")).to_contain_text("If you have phones here already, they are deleted.")
        phone.shot()
        each.get_by_role("button", name="Switch the phone on").click()
        expect(each.locator("#picture")).to_have_class("filter-sepia")
        expect(each.locator(".controls time")).to_have_text(day)
        expect(each.locator(".progress")).to_have_count(0)
        each.locator(".tabs").get_by_text("Credits", exact=True).click()
        expect(each.locator("#balance")).to_have_text("15")
    other.close()


CHECKS = [
    (credits, {}), (endings, {}), (filters, {}), (book, {}), (magazine, {}), (refund, {}), (debt, {}), (refunded_book, {}), (network, {}), (restrictions, {}), (restore, {}), (erase, {}), (declined, {}), (transfer, {}),
    (approval, {}), (backup, {}), (vault, {}), (new_phone, {}), (messages, {}), (keyboard, {}), (contrast, {}), (contrast, {"color_scheme": "dark"}),
    (narrow, {"viewport": {"width": 390, "height": 844}}),
    (rate_limited, {}), (offline, {}), (again, {}), (receipt, {}), (download, {}), (other_phone, {}), (new_product, {}), (only_mine, {}), (content, {}), (later, {}), (hosted, {}), (reinstall, {}), (process, {}), (killed, {}), (tour, {}), (link, {}), (offers, {}), (code, {}), (german, {"viewport": {"width": 390, "height": 844}, "locale": "de-DE"}),
]


printing = threading.Lock()


def where(error):
    """Returns the lines of this file in the traceback of an error."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == __file__]
    return ", ".join(f"line {frame.lineno} ({frame.line})" for frame in frames[1:])


def run(browser, work, options):
    name = " ".join([work.__name__] + ([options["color_scheme"]] if "color_scheme" in options else []))
    began, phone = time.monotonic(), None
    try:
        phone = Phone(browser, name.replace(" ", "-"), **options)
        work(phone)
        violations = phone.page.evaluate("window.violations")
        assert not violations and not phone.problems, f"{violations} {phone.problems}"
        ok, detail = True, f"{time.monotonic() - began:.1f} s"
    except Exception as error:
        ok, detail = False, f"{where(error)}: {error}"[:3000]
        if SHOTS and phone:
            phone.page.screenshot(path=f"{SHOTS}/failed-{name}.png", full_page=True)
    with printing:
        print(json.dumps({"check": name, "ok": ok, "detail": detail}), flush=True)
    if phone:
        phone.context.close()


def run_all(checks):
    """Runs the checks of a queue in one browser until the queue is empty."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        with contextlib.suppress(queue.Empty):
            while True:
                run(browser, *checks.get_nowait())
        browser.close()


if __name__ == "__main__":
    # The names of the checks to run; without arguments, all checks run.
    names = set(sys.argv[1:])

    checks = queue.SimpleQueue()
    for check in CHECKS:
        if not names or check[0].__name__ in names:
            checks.put(check)
    with ThreadPoolExecutor() as pool:
        for each in [pool.submit(run_all, checks) for _ in range(BROWSERS)]:
            each.result()
