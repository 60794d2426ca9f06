import ArgumentParser

/// The output format.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print one JSON object instead of tables.")
    var json = false
}
