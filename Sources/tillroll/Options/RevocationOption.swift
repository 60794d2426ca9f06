import ArgumentParser

/// Whether and how strictly it is asked if a certificate was revoked, on the command line.
enum RevocationOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case off, soft, hard
}
