import ArgumentParser

/// Whether the revocation status is requested, on the command line.
enum RevocationOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case off, soft, hard
}
