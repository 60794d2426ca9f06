// Begins at once; without scripts a button does.
"use strict";

const start = document.getElementById("start");
start.querySelector("button").disabled = true;
start.requestSubmit();
