import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreControl

/// Plays scripts for a visitor; each action begins when the effects of the previous action have ended, or when a sheet is open.
@MainActor
final class ScriptPlayer {
    /// The count of played actions and the total count of actions in the current script; nil before the first action and after the script
    /// ends.
    private(set) var progress: (done: Int, total: Int)?
    /// Whether a script is played, or waits for the end of earlier actions.
    private(set) var isPlaying = false
    /// The number of starts and stops of scripts; a script ends when the number changes.
    private var plays = 0
    /// The numbers of the script's actions whose effects have ended.
    private var ended: Set<Int> = []

    func stop() {
        plays += 1
        (progress, isPlaying) = (nil, false)
    }

    /// Stops the current script, and plays a script until its end, the next stop or the end of the visit.
    ///
    /// The function returns when the apps that the script has launched are closed.
    ///
    /// - Parameter completed: Called when the effects of all actions have ended; launched apps can still run.
    func play(_ script: VisitScript, on visitor: Visitor, completed: () -> Void = {}) async {
        stop()
        let (play, total) = (plays, script.actions.count)
        (ended, isPlaying) = ([], true)
        visitor.change()
        await withDiscardingTaskGroup { group in
            await cancelSheetsAndWaitUntilIdle(play, on: visitor)
            for (number, fields) in script.actions.enumerated() {
                guard play == plays, !visitor.hasLeft else { return }
                progress = (number, total)
                visitor.change()
                guard let action = ShopAction(resolved(fields, on: visitor)) else { continue }
                visitor.record(fields)
                let begun = visitor.begun + 1
                let launches = visitor.launches + (action.launches ? 1 : 0)
                group.addTask {
                    await visitor.perform(action)
                    await self.end(number, of: play, on: visitor)
                }
                // Wait until the effects of an answer have ended, because the page shows the answered sheet until the answer has arrived.
                if case .answer = action { await waitForEnd(of: number, play, on: visitor) }
                await wait(for: number, of: play, on: visitor, begun: begun, launches: launches)
            }
            guard play == plays else { return }
            (progress, isPlaying) = (nil, false)
            completed()
            visitor.change()
        }
    }

    /// Returns the fields of an action with the identifiers of the current visit.
    private func resolved(_ fields: [String: String], on visitor: Visitor) -> [String: String] {
        let phone = visitor.phone
        let report = visitor.report(of: phone)
        var fields = fields
        if let sheet = report.sheet {
            fields["sheet"] = "\(sheet)"
            if fields["answer"] == "sign-in" {
                (fields["account"], fields["password"]) = (phone.person.account.rawValue, ShopWorld.Person.password)
            }
            if let subscription = report.managedSubscription { fields["transaction"] = subscription.rawValue }
        }
        if fields["do"] == "refund", let product = fields["product"] {
            fields["transaction"] = report.purchases.first { $0.value.rawValue == product }?.key
        }
        fields["payment"] = visitor.approvals.first.map { "\($0.payment)" }
        fields["request"] = visitor.refundRequests.first.map { "\($0.id)" }
        if fields["do"] == "message" {
            fields["message"] = visitor.messages.all.first { $0.title == Messages.submission }.map { "\($0.id)" }
        }
        return fields
    }

    /// Cancels all open sheets, and waits until the app has loaded and no action is in progress.
    private func cancelSheetsAndWaitUntilIdle(_ play: Int, on visitor: Visitor) async {
        for await _ in visitor.updates {
            guard play == plays else { return }
            for phone in visitor.phones {
                if let sheet = visitor.report(of: phone).sheet { await phone.perform(.answer(sheet: sheet, .cancel)) }
            }
            if visitor.busy == 0, visitor.isLoaded { return }
        }
    }

    private func end(_ number: Int, of play: Int, on visitor: Visitor) {
        guard play == plays else { return }
        ended.insert(number)
        visitor.change()
    }

    private func waitForEnd(of number: Int, _ play: Int, on visitor: Visitor) async {
        for await _ in visitor.updates where play != plays || ended.contains(number) { return }
    }

    /// Waits until the action has begun, the app is launched and loaded, and either no action is in progress or a sheet is open.
    private func wait(for number: Int, of play: Int, on visitor: Visitor, begun: Int, launches: Int) async {
        for await _ in visitor.updates {
            guard play == plays else { return }
            let hasLaunched = visitor.launches >= launches || ended.contains(number)
            let isWaiting = visitor.busy == 0 || visitor.phones.contains { visitor.report(of: $0).sheet != nil }
            if visitor.begun >= begun, hasLaunched, visitor.isLoaded, isWaiting { return }
        }
    }
}

extension Visitor {
    /// The number of completed launches on all phones.
    fileprivate var launches: Int { phones.reduce(0) { $0 + $1.launches } }

    /// Whether the app on the selected phone has loaded the products, or shows a problem.
    fileprivate var isLoaded: Bool { report(of: phone).isLoaded }
}
