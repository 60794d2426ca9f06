// Begins at once; without scripts a button does.
"use strict";

const start = document.getElementById("start");
start.querySelector("button").textContent = "Switching the phone on …";
start.requestSubmit();
