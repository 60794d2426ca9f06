import ArgumentParser
import PurchaseModel
import StoreProtocol

/// The commands about the seats of subscriptions.
struct StoreSeatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seats",
        abstract: "Show and change the seats of a subscription that is sold in a quantity.",
        discussion: """
              tillroll store buy com.example.team.monthly --account jane --seats 5
              tillroll store seats show --account jane
              tillroll store seats join bob --account jane
              tillroll store seats renew-with 3 --account jane

            A product is sold in seats if it has the key _tillrollSeats in the .storekit file. Members whom the App Store invites have \
            separate transactions. If the developer's server invites the members, the server claims their seats with the App Store \
            Server API.
            """,
        subcommands: [
            StoreShowSeatsCommand.self, StoreRenewSeatsCommand.self, StoreJoinSeatsCommand.self, StoreLeaveSeatsCommand.self,
            StoreReleaseSeatsCommand.self,
        ])
}

/// A command that changes the seats of a subscription, and prints the result.
protocol SeatsCommand: StoreRequestCommand where Output == SeatsDescription {}

extension SeatsCommand {
    func lines(_ output: SeatsDescription, _ style: TerminalStyle) -> [String] {
        SeatsTable.lines(output, style)
    }
}

/// Shows the seats of a subscription.
struct StoreShowSeatsCommand: SeatsCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the seats of a subscription, with its members and claims.",
        discussion: """
              tillroll store seats show --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> SeatsDescription {
        try await store.call(ControlEndpoints.seats, ["transaction": try await target.find(in: store).rawValue])
    }
}

/// Sets the number of seats with which a subscription renews.
struct StoreRenewSeatsCommand: SeatsCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew-with",
        abstract: "Set the number of seats with which a subscription renews, as the purchaser does in the App Store's settings.",
        discussion: """
              tillroll store seats renew-with 3 --account jane@example.com
            """,
        exitCodes: .store
    )

    @Argument(help: "The number of seats, from 1 to the number that the account has.") var seats: Int
    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> SeatsDescription {
        let transaction = ["transaction": try await target.find(in: store).rawValue]
        _ = try await store.call(
            ControlEndpoints.changeSubscription, SubscriptionRequest(.setRenewalSeats, seats: seats), transaction)
        return try await store.call(ControlEndpoints.seats, transaction)
    }
}

/// Adds an account to a group whose members the App Store invites.
struct StoreJoinSeatsCommand: SeatsCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Add an account to a group whose members the App Store invites; the account gets a transaction.",
        discussion: """
              tillroll store seats join bob@example.com --account jane@example.com
            """,
        exitCodes: .store
    )

    @Argument(help: "The account that joins; it is created if it does not exist.") var member: String
    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> SeatsDescription {
        try await store.call(
            ControlEndpoints.addSeatMember, SeatMemberRequest(account: AccountID(member)),
            ["transaction": try await target.find(in: store).rawValue])
    }
}

/// Removes an account from a group whose members the App Store invites.
struct StoreLeaveSeatsCommand: SeatsCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an account from a group whose members the App Store invites, and revoke its transaction.",
        discussion: """
              tillroll store seats remove bob@example.com --account jane@example.com
            """,
        exitCodes: .store
    )

    @Argument(help: "The account that loses its seat.") var member: String
    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> SeatsDescription {
        try await store.call(
            ControlEndpoints.removeSeatMember, ["transaction": try await target.find(in: store).rawValue, "account": member])
    }
}

/// Releases claims of the developer's server.
struct StoreReleaseSeatsCommand: SeatsCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Release claims of the developer's server as the App Store does; the store sends UNCLAIM_SEATS.",
        discussion: """
              tillroll store seats release 5a3b1f2c-7d7f-4f13-8a86-0f3a1c9e2b77 \\
                  --account jane@example.com
            """,
        exitCodes: .store
    )

    @Argument(help: ArgumentHelp("The seatClaimId; `seats show` lists them.", valueName: "claim")) var claim: String
    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> SeatsDescription {
        try await store.call(
            ControlEndpoints.releaseSeatClaims, ReleaseSeatClaimsRequest(seatClaimIDs: [claim]),
            ["transaction": try await target.find(in: store).rawValue])
    }
}

private enum SeatsTable {
    static func lines(_ seats: SeatsDescription, _ style: TerminalStyle) -> [String] {
        let inviter = seats.invitationManagement == .apple ? "the App Store" : "the developer's server"
        var lines = ["\(seats.total) seats, \(seats.available) available, \(seats.atRenewal) at the renewal; invitations by \(inviter)"]
        var table = TextTable(["seat", "member", "transaction or date"])
        for (index, member) in seats.members.enumerated() {
            table.add(["\(index + 1)", member.account.rawValue, member.originalTransactionID.rawValue])
        }
        for (index, claim) in seats.claims.enumerated() {
            table.add(["\(index + 1)", claim.appTransactionID ?? claim.seatClaimID, "\(claim.claimedAt)"])
        }
        if !table.isEmpty { lines += table.lines(style, indent: "") }
        return lines
    }
}
