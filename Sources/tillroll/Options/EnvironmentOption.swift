import ArgumentParser
import PurchaseModel

/// An environment on the command line.
enum EnvironmentOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case production, sandbox, xcode

    var environment: AppEnvironment {
        switch self {
        case .production: .production
        case .sandbox: .sandbox
        case .xcode: .xcode
        }
    }
}
