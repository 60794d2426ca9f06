import ArgumentParser

/// The commands for data that a developer's server signs.
struct OfferCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Sign what your server signs with its own key, and say what is wrong with a signature.",
        discussion: """
            promotional is the first form of promotional offers, whose fields are joined by U+2063; promotional-v2, introductory \
            and advanced-commerce are the forms as JWS; api-token authorizes calls of the App Store Server API.

              tillroll offer sign promotional --key SubscriptionKey_ABC123.p8 \\
                  --bundle-id com.example.app --product monthly \\
                  --offer half-price --json > offer.json
              tillroll offer check promotional offer.json \\
                  --key SubscriptionKey_ABC123.p8
            """,
        subcommands: [OfferSignCommand.self, OfferCheckCommand.self]
    )
}
