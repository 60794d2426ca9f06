"""Makes the documentation's pictures of the sample app, with the code of shop.py.

    pictures.py FOLDER

The environment variables SHOP and SHOP_COMMAND are described in shop.py. The pictures take about a minute.
"""

import io
import os
import sys

from PIL import Image
from playwright.sync_api import expect, sync_playwright

import shop

FOLDER = sys.argv[1]
SIZE = {"viewport": {"width": 1180, "height": 860}, "device_scale_factor": 2}
# The seconds for which the animated picture shows the first page, and each stop of the tour.
FIRST, STOP = 3, 2.7


def save(name, picture, width):
    """Writes a picture with 128 colors, which are enough for a page with few colors."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image = image.resize((width, round(image.height * width / image.width)), Image.LANCZOS)
    image.quantize(128, dither=Image.Dither.NONE).save(f"{FOLDER}/{name}.png", optimize=True)


def shown(phone, selector):
    """Returns a picture of a part of the page, after a second without a change of the page."""
    quiet = """
        () => new Promise((resolve) => {
            const done = () => { observer.disconnect(); resolve(); };
            let timer = setTimeout(done, 1000);
            const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, 1000); });
            observer.observe(document.getElementById("content"), { childList: true, subtree: true });
        })
    """
    phone.page.evaluate(quiet)
    return phone.page.locator(selector).screenshot(animations="disabled")


def tour(browser):
    phone = shop.Phone(browser, "tour", **{**SIZE, "viewport": {"width": 1180, "height": 1080}})
    frames = [phone.page.screenshot(animations="disabled")]
    for number, text in enumerate(shop.STOPS):
        phone.page.get_by_role("button", name="Show me").click()
        expect(phone.page.get_by_role("button", name="Next stop")).to_have_class("primary")
        expect(phone.page.locator(".screen, .notes").filter(has_text=text).first).to_be_visible()
        if number == 9:
            phone.page.evaluate("document.querySelector('.hood').scrollIntoView()")
        frames.append(phone.page.screenshot(animations="disabled"))
        if number < 9:
            phone.page.get_by_role("button", name="Next stop").click()
            expect(phone.page.locator(".tour")).to_contain_text(f"Stop {number + 2} of 10")
    expect(phone.page.locator(".bodies")).to_be_visible()
    save("messages", shown(phone, ".hood"), 900)
    images = [Image.open(io.BytesIO(frame)).convert("RGB").resize((885, 810), Image.LANCZOS) for frame in frames]
    # All frames have one palette, so that unchanged parts do not flicker.
    strip = Image.new("RGB", (885, 810 * len(images)))
    for number, image in enumerate(images):
        strip.paste(image, (0, 810 * number))
    palette = strip.quantize(192, dither=Image.Dither.NONE)
    images = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    durations = [FIRST * 1000] + [round(STOP * 1000)] * (len(images) - 1)
    images[0].save(f"{FOLDER}/tour.gif", save_all=True, append_images=images[1:], duration=durations, loop=0, optimize=True)
    phone.context.close()


def phones(browser):
    """Writes pictures of four screens of the phone."""
    def shot(name):
        save(name, shown(phone, ".phone"), 420)

    phone = shop.Phone(browser, "phones", **SIZE)
    phone.card("5 credits").get_by_label("Quantity").select_option("3")
    phone.card("5 credits").get_by_role("button").click()
    expect(phone.page.get_by_role("dialog")).to_be_visible()
    shot("sheet")
    phone.agree("Buy 5 credits?")
    phone.agree("Sign in to the App Store")
    expect(phone.page.locator("#balance")).to_have_text("15")
    phone.tab("Filters")
    phone.buy("Sepia filter")
    phone.page.get_by_role("button", name="Sepia", exact=True).click()
    expect(phone.page.locator("#picture")).to_have_class("filter-sepia")
    phone.page.get_by_role("button", name="Dismiss").click()
    expect(phone.page.locator(".notice")).to_have_count(0)
    shot("filters")
    phone.buy("Moonlight filter")
    expect(phone.card("Moonlight filter")).to_contain_text("Owned")
    phone.tab("Books")
    phone.buy("The Monkey Who Kept Receipts")
    expect(phone.page.get_by_role("button", name="Read", exact=True)).to_be_visible()
    phone.add_phone("Jane’s next phone", "Jane’s phone 2")
    phone.tab("Settings")
    phone.page.get_by_role("button", name="Restore purchases").click()
    phone.agree("Sign in to the App Store")
    expect(phone.page.get_by_role("dialog", name="What do you want to restore?")).to_be_visible()
    shot("restore")
    phone.context.close()
    phone = shop.Phone(browser, "magazine", **SIZE, color_scheme="dark")
    phone.tab("Magazine")
    phone.buy("Canopy, the monthly magazine", signs_in=True)
    expect(phone.page.locator(".screen .sentence").first).to_contain_text("The subscription renews on")
    phone.switch("Payment method valid")
    phone.control("+ 1 month")
    expect(phone.page.locator(".screen .sentence").first).to_contain_text("The payment was declined.")
    shot("magazine")
    phone.context.close()


os.makedirs(FOLDER, exist_ok=True)
with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    tour(chromium)
    phones(chromium)
    chromium.close()
