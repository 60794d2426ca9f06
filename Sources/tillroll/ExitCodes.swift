import ArgumentParser

extension ExitCode {
    /// Data or a request was refused, or a step of the tour was not as expected.
    ///
    /// The code has no other meaning: unexpected errors have ``softwareError``.
    static let refused = ExitCode(1)
    /// There is no result, because a revocation status is unavailable or no store responds; a later retry may succeed.
    static let indeterminate = ExitCode(2)
    /// An error was unexpected (`EX_SOFTWARE` of sysexits.h).
    static let softwareError = ExitCode(70)
    /// Output can't be written (`EX_IOERR` of sysexits.h).
    static let outputError = ExitCode(74)
}

/// The list of a command's exit codes, with which the command's help ends.
struct ExitCodeFooter: Sendable {
    let text: String

    /// Lists the exit codes that have a meaning for a command.
    ///
    /// - Parameter usage: Examples of wrong usage, beginning with `such as`.
    init(
        success: String, refused: String? = nil, indeterminate: String? = nil, usage: String? = nil, outputError: String? = nil
    ) {
        let meanings: [(code: ExitCode, meaning: String?)] = [
            (.success, success), (.refused, refused), (.indeterminate, indeterminate),
            (.validationFailure, usage.map { "wrong usage, \($0)" } ?? "wrong usage"), (.outputError, outputError),
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
