import ArgumentParser
import Foundation
import PurchaseModel

/// A command that sends a request to a store and prints the response.
protocol StoreRequestCommand: AsyncParsableCommand {
    /// The command's output for scripts.
    associatedtype Answer: Encodable

    var options: StoreOptions { get }

    /// Sends the request.
    func ask(_ store: StoreClient) async throws -> Answer

    /// The command's output for a terminal.
    func lines(_ answer: Answer, _ style: TerminalStyle) -> [String]

    /// The command's exit code.
    func exitCode(_ answer: Answer) -> ExitCode
}

extension StoreRequestCommand {
    func exitCode(_ answer: Answer) -> ExitCode { .success }

    func run() async throws {
        StandardStreams.prepare()
        let answer = try await ask(try options.client())
        if options.json {
            try StandardOutput.bytes([UInt8](try WireJSON.encode(answer)) + [UInt8(ascii: "\n")])
        } else {
            try StandardOutput.lines(lines(answer, .suiting()))
        }
        let code = exitCode(answer)
        guard code == .success else { throw code }
    }
}
