import ArgumentParser
import Foundation
import FoundationExtras
import LocalAppStore
import PurchaseModel

/// The commands that create and check `.storekit` files.
struct StorekitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storekit",
        abstract: "Create and check .storekit files.",
        discussion: """
              tillroll storekit new Shop.storekit
              tillroll storekit lint Shop.storekit
            """,
        subcommands: [StorekitNewCommand.self, StorekitLintCommand.self]
    )
}

/// Lists the errors and warnings of a `.storekit` file.
struct StorekitLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "List all errors and warnings of a .storekit file.",
        discussion: """
            The command reads a file as the local store does. The store refuses a file with errors. A warning is about a value that \
            the store accepts and that is probably a mistake, or about ignored members of a file with a version later than 5.

              tillroll storekit lint Shop.storekit
              tillroll storekit lint Shop.storekit --json

            Errors and warnings are printed on standard error, one per line: the severity, the place in the JSON such as \
            products[3].displayPrice, and the message. With --json the output is one object on standard output: result (usable or \
            unusable), place and message of the first error, and findings with the severity, place and message of each finding.
            """,
        exitCodes: ExitCodeFooter(success: "the file is usable", refused: "the file has errors")
    )

    @Argument(help: ArgumentHelp("The .storekit file; - or no argument for standard input.", valueName: "file"))
    var file: String?
    @OptionGroup(title: "Output") var report: ReportOptions

    func run() throws {
        StandardStreams.prepare()
        if file == nil, isatty(STDIN_FILENO) == 1 {
            throw ValidationError("Give the .storekit file, such as: tillroll storekit lint Shop.storekit")
        }
        let data = Data(try InputSource(file).read())
        let output = StorekitReport(findings: Catalog.findings(in: data), catalog: try? Catalog(storekit: data))
        if report.json {
            try StandardOutput.bytes(output.json.bytes + [UInt8(ascii: "\n")])
        } else {
            for line in output.findingLines { StandardError.line(line) }
            try StandardOutput.lines([output.line(.detected())])
        }
        if output.firstError != nil { throw ExitCode.refused }
    }
}

/// The errors and warnings of a `.storekit` file, formatted for output.
struct StorekitReport {
    let findings: [CatalogFinding]
    /// The file's catalog; nil if the file has errors.
    let catalog: Catalog?

    /// The first error, which the summary states; nil if the file has no errors.
    var firstError: CatalogFinding? {
        findings.first { $0.severity == .error }
    }

    /// The report as a JSON object.
    var json: JSONValue {
        var members = [JSONValue.Member("result", firstError == nil ? "usable" : "unusable")]
        if let firstError {
            members.append(JSONValue.Member("place", .string(firstError.path)))
            members.append(JSONValue.Member("message", .string(firstError.message)))
        }
        if let catalog {
            members.append(JSONValue.Member("storefront", .string(catalog.storefront.countryCode)))
            members.append(JSONValue.Member("products", .number(catalog.products.count)))
        }
        let all = findings.map { finding in
            JSONValue.object([
                JSONValue.Member("severity", .string(finding.severity.rawValue)), JSONValue.Member("place", .string(finding.path)),
                JSONValue.Member("message", .string(finding.message)),
            ])
        }
        return .object(members + [JSONValue.Member("findings", .array(all))])
    }

    /// The errors and warnings as lines of text.
    var findingLines: [String] {
        findings.map { TerminalText.safe($0.description) }
    }

    /// Returns a summary as a line of text: whether the file is usable, and the first error or the number of products.
    func line(_ style: TerminalStyle) -> String {
        if let firstError {
            return
                "\(style.bad("unusable"))  \(style.strong(TerminalText.safe(firstError.path)))  \(TerminalText.safe(firstError.message))"
        }
        let count = catalog?.products.count ?? 0
        return "\(style.good("usable"))  \(count) product\(count == 1 ? "" : "s")"
    }
}

/// The content of a `.storekit` file that the command line names.
struct StorekitFile {
    private let path: String
    private let data: Data

    /// Reads the file at a path.
    ///
    /// - Throws: A usage error if the file can't be read.
    init(_ path: String) throws {
        self.path = path
        data = Data(try InputSource(path).read())
    }

    /// Returns the file's text for an upload to a store, after checking it.
    ///
    /// - Throws: `ExitCode.refused`, after a message on standard error, if the file has errors.
    func text() throws -> JSONText {
        _ = try catalog()
        return JSONText(data)
    }

    /// Parses the file and returns its catalog; prints a warning on standard error if the file has a later version of the format.
    ///
    /// - Throws: `ExitCode.refused`, after a message on standard error, if the file has errors.
    func catalog() throws -> Catalog {
        do {
            let catalog = try Catalog(storekit: data)
            if let warning = catalog.laterVersionWarning {
                StandardError.line("Warning: \(path): \(TerminalText.safe(warning.message))")
            }
            return catalog
        } catch {
            StandardError.line(
                "Error: \(path): \(TerminalText.safe("\(error.path): \(error)")) List all errors with: tillroll storekit lint FILE")
            throw ExitCode.refused
        }
    }
}
