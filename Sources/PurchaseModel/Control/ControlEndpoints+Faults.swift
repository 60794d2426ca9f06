extension ControlEndpoints {
    /// The faults that are switched on, oldest first.
    public static let faults = Endpoint<Empty, FaultsReply>(.get, "/control/v1/faults")
    /// Switches a fault on.
    public static let setFault = Endpoint<Fault, FaultsReply.Entry>(.post, "/control/v1/faults")
    /// Switches a fault off.
    public static let clearFault = Endpoint<Empty, Empty>(.post, "/control/v1/faults/{fault}/clear")
    /// Switches every fault off.
    public static let clearFaults = Endpoint<Empty, Empty>(.post, "/control/v1/faults/clear")
}
