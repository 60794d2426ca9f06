import ArgumentParser

extension ExitCode {
    /// The exit code for refused data or a refused request.
    ///
    /// Unexpected errors have the code ``softwareError`` instead.
    static let refused = ExitCode(1)
    /// The exit code if a revocation status is unavailable or no store responds; the same call may succeed later.
    static let indeterminate = ExitCode(2)
    /// The exit code for a store's file that is damaged or comes from a later version (`EX_DATAERR` of sysexits.h).
    static let unreadableStore = ExitCode(65)
    /// The exit code for an unexpected error (`EX_SOFTWARE` of sysexits.h).
    static let softwareError = ExitCode(70)
    /// The exit code for output that can't be written (`EX_IOERR` of sysexits.h).
    static let outputError = ExitCode(74)
}

/// The list of a command's exit codes and their meanings at the end of the command's help.
struct ExitCodeFooter: Sendable {
    let text: String

    /// Creates the list from the meanings of the exit codes; a code without a meaning is omitted, except for wrong usage.
    ///
    /// - Parameter usage: Examples of wrong usage, beginning with `such as`.
    init(
        success: String, refused: String? = nil, indeterminate: String? = nil, usage: String? = nil, unreadableStore: String? = nil,
        outputError: String? = nil
    ) {
        let meanings: [(code: ExitCode, meaning: String?)] = [
            (.success, success), (.refused, refused), (.indeterminate, indeterminate),
            (.validationFailure, usage.map { "wrong usage, \($0)" } ?? "wrong usage"), (.unreadableStore, unreadableStore),
            (.outputError, outputError),
        ]
        let list = meanings.compactMap { code, meaning in meaning.map { "\(code.rawValue) \($0)" } }
        text = "Exit codes: \(list.joined(separator: ", "))."
    }

    /// The footer of commands that send a request to a store.
    static let store = storeRequest()

    /// The footer of commands that send a request to a store, with meanings that are specific to the command.
    static func storeRequest(success: String = "done", refused: String = "refused", outputError: String? = nil) -> ExitCodeFooter {
        ExitCodeFooter(success: success, refused: refused, indeterminate: "no store responds", outputError: outputError)
    }

    /// The footer of commands that verify signed data.
    static let verification = ExitCodeFooter(
        success: "verified", refused: "refused", indeterminate: "indeterminate (a revocation status is unavailable; verify again later)"
    )

    /// The footer of commands that show signed data without verifying it.
    static let inspection = ExitCodeFooter(success: "shown", refused: "not readable")

    /// The footer of commands that sign data.
    static let issuing = ExitCodeFooter(success: "done", outputError: "the output can't be written")
}

extension CommandConfiguration {
    /// Creates the configuration of a command whose help ends with its exit codes.
    init(commandName: String, abstract: String, discussion: String, exitCodes: ExitCodeFooter) {
        self.init(commandName: commandName, abstract: abstract, discussion: "\(discussion)\n\n\(exitCodes.text)")
    }
}
