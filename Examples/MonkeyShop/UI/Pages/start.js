// Begins at once, unless a link may end another visit; without scripts a button does.
"use strict";

const start = document.getElementById("start");
if (!("waits" in start.dataset)) {
    start.querySelector("button").disabled = true;
    start.requestSubmit();
}
