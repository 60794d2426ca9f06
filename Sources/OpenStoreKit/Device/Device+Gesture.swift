extension Device {
    @TaskLocal static var isUserGesture = false

    /// Runs code in response to a user's gesture, such as a tap on a *Restore Purchases* button.
    ///
    /// The device reports restores and receipt refreshes outside this call to ``DeviceConfiguration/report``, because they may show
    /// unexpected sign-in prompts.
    public static func withUserGesture<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $isUserGesture.withValue(true, operation: body)
    }

    /// Runs asynchronous code in response to a user's gesture, such as a tap on a *Restore Purchases* button, on the caller's actor.
    public static func withUserGesture<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $isUserGesture.withValue(true, operation: body)
    }
}
