import ArgumentParser
import Foundation

/// The source of a command's input: a file or standard input.
enum InputSource: Hashable, Sendable {
    case standardInput
    case file(String)

    /// The maximum size of the input in bytes: room for a receipt of several megabytes in any text encoding.
    static let maximumSize = 24 << 20

    /// Creates the source that a command-line argument names; `-` and nil mean standard input.
    init(_ argument: String?) {
        guard let argument, argument != "-" else {
            self = .standardInput
            return
        }
        self = .file(argument)
    }

    /// Reads the input to its end, or up to one byte more than ``maximumSize``, which shows the caller that the input is too large.
    ///
    /// - Throws: A usage error if the source can't be read.
    func read() throws -> [UInt8] {
        let file: FileDescriptor
        switch self {
        case .standardInput: file = .standardInput
        case .file(let path): file = try FileDescriptor.reading(path)
        }
        defer { if self != .standardInput { file.close() } }
        var bytes: [UInt8] = []
        while bytes.count <= Self.maximumSize {
            let part: [UInt8]
            do { part = try file.read(atMost: min(1 << 20, Self.maximumSize + 1 - bytes.count)) } catch {
                throw ValidationError("\(name) can't be read: \(error). Give a file, or pipe the data into the command.")
            }
            if part.isEmpty { break }
            bytes.append(contentsOf: part)
        }
        return bytes
    }

    /// The source's name in messages.
    var name: String {
        switch self {
        case .standardInput: "Standard input"
        case .file(let path): path
        }
    }
}

/// The argument of a command that reads one receipt or JWS.
struct InputArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The file; - or no argument for standard input. Bytes, base64, hexadecimal, PEM, or JSON with the data in a member.",
            valueName: "file"
        )
    )
    var file: String?

    var source: InputSource { InputSource(file) }
}
