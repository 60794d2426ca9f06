import PurchaseModel

/// A step of a simulation's script: an action of a user, an app, the store or the server, or a fault.
///
/// A step about something that does not exist, such as a refund without a purchase, changes nothing. A script therefore stays valid when
/// steps are removed from it.
enum SimulationStep: Hashable, Sendable {
    /// The processes that can end, and whose disks can be full.
    enum Party: Hashable, Sendable {
        case store, server
        case device(Int)
    }

    // MARK: The world

    case device(Int, AppKind, account: Int)
    case policy(RefundPolicy)

    // MARK: Users and apps

    case buy(device: Int, SimulatedCatalog.Item, quantity: Int)
    case restore(device: Int)
    case debit(device: Int, amount: Int)
    /// The app comes to the foreground.
    case wake(device: Int)
    /// The user ends the app and starts it again.
    case relaunch(device: Int)
    /// The user subscribes, unsubscribes or changes the payment method in the system's settings.
    case autoRenew(account: Int, Bool)
    case paymentMethod(account: Int, isValid: Bool)
    case askToBuy(account: Int, Bool)
    /// A parent decides about the oldest payment that waits.
    case decide(approves: Bool)

    // MARK: The store

    /// The account buys a product outside of the app.
    case buyInStore(account: Int, SimulatedCatalog.Item)
    /// The store refunds a charge, counted from the first one, as a whole or in part.
    case refund(charge: Int, percent: Int)
    case reverseRefund(charge: Int)
    case extend(account: Int, days: Int)
    case wait(hours: Int)
    case reconcile

    // MARK: Seats

    /// The app buys a number of seats, or adds seats up to that number.
    case buySeats(device: Int, SimulatedCatalog.Item, seats: Int)
    /// The account chooses the number of seats of the next renewal.
    case renewalSeats(account: Int, SimulatedCatalog.Item, seats: Int)
    /// The store refunds seats of a transaction, counted from the first transaction with seats, at most the seats that are left.
    case refundSeats(charge: Int, seats: Int)
    /// An account joins the group of an owner whose members the App Store invites, or is removed from the group.
    case join(owner: Int, member: Int)
    case leave(owner: Int, member: Int)
    /// The customer of an account claims or loses a seat of an owner whose members the developer's server invites.
    case claimSeat(owner: Int, member: Int)
    case releaseSeat(owner: Int, member: Int)
    /// The store releases the oldest claim of an owner's seats.
    case unclaimSeat(owner: Int)

    // MARK: Faults

    /// The next session of a device's app, or the next process of the store or the server, begins.
    case restart(Party)
    /// A process ends at a further write or step, which its disk keeps or not.
    case crash(Party, after: Int, isKept: Bool)
    case fullDisk(Party, writes: Int)
    case fault(SimulatedNetwork.Fault, SimulatedNetwork.Link, after: Int)
    case offline(SimulatedNetwork.Link, Bool)
}
