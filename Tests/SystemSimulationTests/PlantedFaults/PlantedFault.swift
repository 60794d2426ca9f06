import Foundation
import GRDB
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

@testable import PurchaseServer
@testable import PurchaseStorage

/// A fault in the device, the store or the server that a simulation must find.
///
/// Nothing in the product knows these faults. Each wraps a storage or a connection, or is a trigger in a database of the simulation.
enum PlantedFault: String, CaseIterable, Sendable {
    // MARK: Device and app

    /// A device forgets the payments in its queue when the app is killed.
    case deviceForgetsPayments
    /// A finish gets lost between the device and the store, and the device believes that it arrived.
    case finishIsLost
    /// An app uses another idempotency key when it repeats a debit.
    case newKeyForRepeatedDebit

    // MARK: Store

    /// The store charges a repeated payment again.
    case chargesRepeatedPayment
    /// A refund gives no money back.
    case refundsNoMoney

    // MARK: Server

    /// The storage answers before the commit.
    case answersBeforeCommit
    /// A purchase is credited whenever it is submitted.
    case creditsWithoutKey
    /// A notification is acknowledged although it was not recorded.
    case acknowledgesFailedNotification
    /// A refund is dropped.
    case dropsRefund
    /// A purchase moves to another customer when it is renewed.
    case renewsForOtherCustomer
    /// An entitlement stays as it is after a revocation.
    case ignoresRevocation
    /// A balance misses some postings.
    case dropsPosting
    /// A refund of added seats ends the purchaser's period, although the period's other seats are paid.
    case refundOfAddedSeatsEndsPeriod
    /// A claim that the store releases stays on the server.
    case keepsReleasedSeats
    /// An event of an entitlement is lost.
    case losesEvent
    /// The storage writes off what a refund revokes, whatever the refund policy is.
    case writesOffRefunds

    /// What a simulation can find because of the fault.
    var violations: Set<Violation.Kind> {
        switch self {
        case .deviceForgetsPayments: [.promisedPaymentLost, .unfinishedInStore, .wrongView]
        case .finishIsLost: [.unfinishedInStore, .unfinished]
        case .newKeyForRepeatedDebit: [.debitWithoutRequest, .wrongBalance]
        case .chargesRepeatedPayment: [.chargedWithoutPayment, .wrongCharge, .wrongOutcome, .unfinishedInStore]
        case .refundsNoMoney: [.wrongCharge]
        case .answersBeforeCommit:
            [.acknowledgedSubmissionLost, .acknowledgedNotificationLost, .acknowledgedDebitLost, .wrongOutcome, .wrongBalance, .wrongView]
        case .creditsWithoutKey: [.wrongBalance, .wrongView]
        case .acknowledgesFailedNotification: [.acknowledgedNotificationLost]
        case .dropsRefund, .renewsForOtherCustomer, .ignoresRevocation, .refundOfAddedSeatsEndsPeriod:
            [.wrongOutcome, .wrongBalance, .wrongView, .wrongEvents]
        case .dropsPosting: [.wrongBalance, .wrongView, .wrongEvents]
        case .losesEvent: [.wrongEvents]
        case .writesOffRefunds: [.wrongPolicy]
        case .keepsReleasedSeats: [.wrongSeats, .wrongOutcome, .wrongView, .wrongEvents]
        }
    }

    // MARK: Where they are planted

    /// The statements that plant the fault in the server's database.
    private var statements: String? {
        switch self {
        case .creditsWithoutKey:
            """
            CREATE TRIGGER planted_credit AFTER INSERT ON purchase_credit BEGIN
                UPDATE purchase_credit SET charge = charge || ' ' || hex(randomblob(4)) WHERE rowid = new.rowid;
            END;
            CREATE TRIGGER planted_posting AFTER INSERT ON ledger_posting WHEN new.kind = 'purchase' BEGIN
                UPDATE ledger_posting SET key = key || ' ' || hex(randomblob(4)) WHERE rowid = new.rowid;
            END;
            """
        case .dropsRefund:
            """
            CREATE TRIGGER planted_refund BEFORE INSERT ON transaction_version WHEN new.is_revoked = 1 BEGIN
                SELECT RAISE(IGNORE);
            END;
            """
        case .renewsForOtherCustomer:
            """
            CREATE TRIGGER planted_renewal AFTER INSERT ON transaction_version
            WHEN new.transaction_id <> new.original_transaction_id BEGIN
                UPDATE OR REPLACE customer_purchase SET customer = '0b0b0b0b-1111-4222-8333-444444444444'
                WHERE app = new.app AND original_transaction_id = new.original_transaction_id;
            END;
            """
        case .ignoresRevocation:
            """
            CREATE TRIGGER planted_revocation BEFORE UPDATE ON customer_purchase
            WHEN json_extract(new.entitlement, '$.state.revoked') IS NOT NULL BEGIN
                SELECT RAISE(IGNORE);
            END;
            """
        case .dropsPosting:
            """
            CREATE TRIGGER planted_balance AFTER UPDATE ON ledger_balance WHEN new.postings % 3 = 0 BEGIN
                UPDATE ledger_balance SET amount = old.amount
                WHERE app = new.app AND customer = new.customer AND currency = new.currency;
            END;
            """
        case .refundOfAddedSeatsEndsPeriod:
            ["INSERT", "UPDATE"].map { event in
                """
                CREATE TRIGGER planted_seats_\(event) AFTER \(event) ON transaction_version
                WHEN new.is_revoked = 1 AND json_extract(new.event, '$.transaction.additionalTransactionReason') IS NOT NULL BEGIN
                    UPDATE customer_purchase SET entitlement = json_set(entitlement, '$.state', json('{"revoked":{}}'))
                    WHERE app = new.app AND original_transaction_id = new.original_transaction_id;
                END;
                """
            }.joined(separator: "\n")
        case .keepsReleasedSeats:
            """
            CREATE TRIGGER planted_claim BEFORE UPDATE ON seat_claim WHEN new.end_reason = 'unclaimed' BEGIN
                SELECT RAISE(IGNORE);
            END;
            """
        case .losesEvent:
            """
            CREATE TRIGGER planted_event BEFORE INSERT ON feed_event WHEN new.type = 'entitlement.changed' BEGIN
                SELECT RAISE(IGNORE);
            END;
            """
        case .writesOffRefunds:
            """
            CREATE TRIGGER planted_policy AFTER UPDATE ON purchase_credit WHEN new.revoked > old.revoked BEGIN
                UPDATE purchase_credit SET written_off = new.revoked WHERE rowid = new.rowid;
                UPDATE ledger_balance SET amount = amount + (new.revoked - old.revoked) WHERE app = new.app AND customer = new.customer;
            END;
            """
        default: nil
        }
    }

    /// Plants the fault in the server's database.
    func plant(inServer database: any DatabaseWriter) throws {
        guard let statements else { return }
        try database.write { try $0.execute(sql: statements) }
    }

    /// Plants the fault in the store's database.
    func plant(inStore database: any DatabaseWriter) throws {
        guard self == .refundsNoMoney else { return }
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER planted_refund BEFORE INSERT ON charges WHEN new.kind LIKE 'refund%' BEGIN
                        SELECT RAISE(IGNORE);
                    END
                    """)
        }
    }

    /// Returns the storage of a server's process.
    func storage(_ disk: any PurchaseStorage, _ faults: ProcessFaults) -> any PurchaseStorage {
        self == .answersBeforeCommit
            ? EarlyStorage(disk: disk, faults: faults) : SimulatedStorage(disk: disk, faults: faults)
    }

    /// Returns the connection of the devices to the store.
    func transport(_ transport: any StoreTransport) -> any StoreTransport {
        switch self {
        case .chargesRepeatedPayment: ForgetfulTransport(transport: transport, keepsPayments: true)
        case .finishIsLost: ForgetfulTransport(transport: transport, keepsPayments: false)
        default: transport
        }
    }

    /// Delivers a notification to the server, and returns the status of the server's response.
    func deliver(_ body: String, _ deliver: () async throws -> Int) async throws -> Int {
        switch self {
        case .acknowledgesFailedNotification:
            _ = try? await deliver()
            return 200
        default: return try await deliver()
        }
    }

    /// Applies the fault to the files of a device that lost its power.
    func lose(inDeviceFolder folder: String) {
        guard self == .deviceForgetsPayments else { return }
        let journal = try? DatabaseQueue(path: folder + "/journal.sqlite")
        try? journal?.write { try $0.execute(sql: "DELETE FROM payment") }
        try? journal?.close()
    }
}
