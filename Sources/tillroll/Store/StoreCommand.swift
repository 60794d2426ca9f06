import ArgumentParser

/// The commands for a local App Store.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Run a local App Store, and do in it what customers, time and bad luck do.",
        discussion: """
              tillroll store up --storekit Shop.storekit
              tillroll store buy com.example.pro.monthly --account jane@example.com
              tillroll store advance 30d
              tillroll store events --follow

            All but `up` call a store that runs, by its address in --store or TILLROLL_STORE. With --json each prints one JSON object, \
            which is what the store's control API says.
            """,
        subcommands: [StoreUpCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Stores",
                subcommands: [
                    StoreShowCommand.self, StoreListCommand.self, StoreMakeCommand.self, StoreRemoveCommand.self,
                    StoreExportCommand.self, StoreImportCommand.self, StoreAppsCommand.self, StoreAppCommand.self,
                    StoreProductsCommand.self, StoreContentCommand.self, StoreLimitsCommand.self,
                ]),
            CommandGroup(
                name: "People",
                subcommands: [
                    StoreAccountsCommand.self, StoreAccountCommand.self, StoreChargesCommand.self, StoreTransactionsCommand.self,
                    StoreSubscriptionsCommand.self, StoreReceiptCommand.self, StoreImportHistoryCommand.self, StoreRestrictCommand.self,
                ]),
            CommandGroup(
                name: "Purchases",
                subcommands: [
                    StoreBuyCommand.self, StoreApprovalsCommand.self, StoreApproveCommand.self, StoreDeclineCommand.self,
                    StoreInterruptionsCommand.self, StoreResolveCommand.self, StorePromoteCommand.self,
                ]),
            CommandGroup(
                name: "Subscriptions",
                subcommands: [
                    StoreRenewCommand.self, StoreExpireCommand.self, StoreCancelCommand.self, StoreResumeCommand.self,
                    StoreCancelChangeCommand.self, StoreRaisePriceCommand.self, StoreConsentCommand.self, StoreDeclinePriceCommand.self,
                    StoreExtendCommand.self,
                ]),
            CommandGroup(
                name: "Refunds",
                subcommands: [
                    StoreRefundCommand.self, StoreReverseRefundCommand.self, StoreRequestRefundCommand.self,
                    StoreRefundRequestsCommand.self,
                    StoreDecideRefundCommand.self,
                ]),
            CommandGroup(
                name: "Time",
                subcommands: [
                    StoreClockCommand.self, StoreAdvanceCommand.self, StoreJumpCommand.self, StoreFreezeCommand.self,
                    StoreTimeRateCommand.self,
                ]),
            CommandGroup(
                name: "News and faults",
                subcommands: [
                    StoreEventsCommand.self, StoreNotificationsCommand.self, StoreNotificationCommand.self, StoreFaultCommand.self,
                ]),
        ]
    )
}
