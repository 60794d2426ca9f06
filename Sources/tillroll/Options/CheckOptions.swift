import ArgumentParser
import PurchaseModel
import PurchaseProof

/// What any signed data has to say to be accepted.
struct CheckOptions: ParsableArguments {
    @Option(help: "Refuse what is for another app.")
    var bundleID: String?

    @Option(help: "Refuse other environments: production, sandbox or xcode; may be given several times.")
    var environment: [EnvironmentOption] = []

    @Option(help: "Refuse what was made longer ago, such as 90s, 15m, 12h or 30d.")
    var maxAge: AgeOption?

    /// The environments that are accepted: every one, unless some were named.
    var environments: Set<AppEnvironment> {
        environment.isEmpty ? Set(AppEnvironment.allCases) : Set(environment.map(\.environment))
    }

    /// Refuses other environments.
    var environmentCheck: EnvironmentCheck {
        EnvironmentCheck(environments)
    }

    /// Refuses other apps, where one was named.
    var bundleCheck: BundleCheck? {
        bundleID.map { BundleCheck(BundleID($0)) }
    }
}
