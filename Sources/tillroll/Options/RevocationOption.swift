import ArgumentParser

/// Whether the command requests the revocation status, on the command line.
enum RevocationOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case off, soft, hard
}
