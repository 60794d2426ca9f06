import ArgumentParser

/// The input of a command that reads one item of signed data.
struct InputArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A file; - or nothing for standard input. Bytes, base64, hexadecimal, PEM, or JSON with the data in a member.",
            valueName: "file"
        )
    )
    var file: String?

    var source: InputSource { InputSource(file) }
}
