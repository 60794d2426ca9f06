// Signs in: the store exchanges the token for a cookie that scripts cannot read.

const form = document.getElementById("signin");
const input = document.getElementById("token");
const refusal = document.getElementById("refusal");
const wrong = "The token is wrong. Enter the token that the store printed when it started.";

function refuse(sentence) {
    refusal.textContent = sentence;
    input.ariaInvalid = "true";
    input.focus();
    input.select();
}

form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    refusal.textContent = "";
    try {
        const answer = await fetch("session", {
            method: "POST", credentials: "same-origin", headers: { "content-type": "application/json" },
            body: JSON.stringify({ token: input.value }),
        });
        if (answer.ok) location.replace(`./${location.hash}`);
        else if (answer.status === 401) refuse(wrong);
        else refuse((await answer.json().catch(() => undefined))?.error?.message ?? `The request failed with HTTP status ${answer.status}.`);
    } catch {
        refuse("No response from the store. Check that the store is running.");
    } finally {
        button.disabled = false;
    }
});

if (new URLSearchParams(location.search).has("wrong")) {
    history.replaceState(null, "", location.pathname + location.hash);
    refuse(wrong);
} else {
    input.focus();
}
