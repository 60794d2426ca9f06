import ArgumentParser
import Foundation
import PurchaseModel

/// A command that asks a store something and prints what it says.
protocol StoreRequestCommand: AsyncParsableCommand {
    /// What the store says, as scripts get it.
    associatedtype Answer: Encodable

    var options: StoreOptions { get }

    /// Asks.
    func ask(_ store: StoreClient) async throws -> Answer

    /// What people get.
    func lines(_ answer: Answer, _ style: TerminalStyle) -> [String]

    /// What the command ends with.
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
