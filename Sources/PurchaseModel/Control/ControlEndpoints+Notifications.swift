extension ControlEndpoints {
    /// One notification: its body, what it says, and the attempts to send it.
    public static let notification = Endpoint<Empty, NotificationDetails>(.get, "/control/v1/notifications/{notification}")
    /// Sends a notification once more, with the same identifier and the same bytes, whatever became of it before.
    public static let resend = Endpoint<Empty, NotificationDetails>(.post, "/control/v1/notifications/{notification}/resend")
    /// Lets something happen that causes a notification of a kind.
    public static let trigger = Endpoint<TriggerRequest, TriggerReply>(.post, "/control/v1/notifications/trigger")
}
