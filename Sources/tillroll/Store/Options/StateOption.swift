import ArgumentParser

/// A state on the command line: `on` or `off`.
enum StateOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case on, off

    var isOn: Bool { self == .on }
}
