import ArgumentParser

/// How an answer is printed.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print one JSON object instead of tables.")
    var json = false
}
