import ArgumentParser

/// Whether something is so, on the command line: `on` or `off`.
enum StateOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case on, off

    var isOn: Bool { self == .on }
}
