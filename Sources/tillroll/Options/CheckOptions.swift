import ArgumentParser
import PurchaseModel
import PurchaseProof

/// The checks that apply to all signed data.
struct CheckOptions: ParsableArguments {
    @Option(help: "Refuse data for another app.")
    var bundleID: String?

    @Option(help: "Refuse other environments: production, sandbox or xcode; repeatable.")
    var environment: [EnvironmentOption] = []

    @Option(help: "Refuse older data, such as 90s, 15m, 12h or 30d.")
    var maxAge: AgeOption?

    /// The accepted environments; all by default.
    var environments: Set<AppEnvironment> {
        environment.isEmpty ? Set(AppEnvironment.allCases) : Set(environment.map(\.environment))
    }

    /// Refuses other environments.
    var environmentCheck: EnvironmentCheck {
        EnvironmentCheck(environments)
    }

    /// Refuses other apps, if the options name an app.
    var bundleCheck: BundleCheck? {
        bundleID.map { BundleCheck(BundleID($0)) }
    }
}
