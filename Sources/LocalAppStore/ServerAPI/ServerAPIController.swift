import HTTPTypes
import Hummingbird
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

/// Adds the routes of the App Store Server API; see `ServerAPIEndpoint`.
struct ServerAPIController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        for endpoint in ServerAPIEndpoint.allCases {
            router.on(RouterPath(endpoint.template), method: HTTPRequest.Method(endpoint.method)) { request, context in
                try await answer(to: endpoint, try ServerAPICall(request, context, endpoint))
            }
        }
        router.mount(ControlEndpoints.rateLimits) { body, _, context in
            try context.store.setRateLimits(body.isEnabled ? .apple : nil)
            return Empty()
        }
        router.mount(ControlEndpoints.rateLimitState) { _, _, context in
            try context.store.rateLimiter.description
        }
    }

    private func answer(to endpoint: ServerAPIEndpoint, _ call: ServerAPICall) async throws -> Response {
        let (services, scope, id) = (call.services, call.scope, call.transactionID)
        switch endpoint {
        case .transactionInfo:
            return Response(serverAPI: try await services.serverAPI.transactionInfo(id, in: scope))
        case .transactionHistory:
            return Response(serverAPI: try await services.serverAPI.history(of: id, call.query, in: scope, hidesFinished: false))
        case .transactionHistoryV1:
            return Response(serverAPI: try await services.serverAPI.history(of: id, call.query, in: scope, hidesFinished: true))
        case .subscriptionStatuses:
            return Response(serverAPI: try await services.serverAPI.statuses(of: id, call.query, in: scope))
        case .sendConsumption:
            try await services.serverAPI.acceptConsumption(id, try await call.body, in: scope)
            return Response(status: .accepted)
        case .sendConsumptionV1:
            try await services.serverAPI.acceptConsumptionV1(id, try await call.body, in: scope)
            return Response(status: .accepted)
        case .setAppAccountToken:
            try await services.serverAPI.setAppAccountToken(of: id, try await call.body, in: scope)
            return Response(status: .ok)
        case .finishTransaction:
            try await services.serverAPI.finish(id, in: scope)
            return Response(status: .ok)
        case .appTransactionInfo:
            return Response(serverAPI: try await services.serverAPI.appTransactionInfo(id, in: scope))
        case .lookUpOrder:
            return Response(serverAPI: try await services.serverAPI.order(call.parameter("orderId"), in: scope))
        case .refundHistory:
            return Response(serverAPI: try await services.serverAPI.refunds(of: id, call.query, in: scope))
        case .refundHistoryV1:
            return Response(serverAPI: try await services.serverAPI.newestRefunds(of: id, in: scope))
        case .extendRenewalDate:
            return Response(serverAPI: try await services.extensions.extend(id, try await call.body, in: scope))
        case .massExtendRenewalDates:
            return Response(serverAPI: try await services.extensions.requestMassExtension(try await call.body, in: scope))
        case .massExtensionStatus:
            let (product, request) = (call.parameter("productId"), call.parameter("requestIdentifier"))
            return Response(serverAPI: try await services.extensions.massExtension(request, of: product, in: scope))
        case .requestTestNotification:
            return Response(serverAPI: try await services.notificationHistory.requestTestNotification(in: scope))
        case .testNotificationStatus:
            return Response(
                serverAPI: try await services.notificationHistory.testNotification(call.parameter("testNotificationToken"), in: scope))
        case .notificationHistory:
            return Response(
                serverAPI: try await services.notificationHistory.notificationHistory(try await call.body, call.query, in: scope))
        case .seatInfo, .claimSeat, .unclaimSeat, .associateSeat, .customerGroups, .groupMembers:
            return try await answerAboutGroup(endpoint, call)
        }
    }

    private func answerAboutGroup(_ endpoint: ServerAPIEndpoint, _ call: ServerAPICall) async throws -> Response {
        let (groups, seats, scope) = (call.services.groups, call.services.seats, call.scope)
        switch endpoint {
        case .customerGroups: return Response(serverAPI: try await groups.groups(of: call.transactionID, in: scope))
        case .groupMembers: return Response(serverAPI: try await groups.members(of: call.parameter("groupId"), call.query, in: scope))
        default: break
        }
        let id = call.parameter("originalTransactionId")
        switch endpoint {
        case .claimSeat:
            return Response(serverAPI: try await seats.claim(ClaimSeatRequest(json: try await call.body), of: id, in: scope))
        case .unclaimSeat:
            try await seats.unclaim(call.parameter("seatClaimId"), of: id, in: scope)
            return Response(status: .ok)
        case .associateSeat:
            let request = try AssociateSeatRequest(json: try await call.body)
            try await seats.associate(call.parameter("seatClaimId"), request, of: id, in: scope)
            return Response(status: .ok)
        default: return Response(serverAPI: try await seats.seatInfo(of: id, in: scope))
        }
    }
}

extension HTTPRequest.Method {
    /// Creates the HTTP method of an App Store Server API endpoint.
    fileprivate init(_ method: ServerAPIEndpoint.Method) {
        self =
            switch method {
            case .get: .get
            case .post: .post
            case .put: .put
            case .delete: .delete
            }
    }
}
