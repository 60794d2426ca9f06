import FoundationExtras
import Testing

@Suite struct PathTemplateTests {
    @Test(arguments: [
        ([:], ""),
        (["b": "2", "a": "1"], "?a=1&b=2"),
        (["a": "x&y=ä #"], "?a=x%26y%3D%C3%A4%20%23"),
    ])
    func `query parameters are sorted and percent-encoded`(_ parameters: [String: String], _ query: String) {
        #expect(PathTemplate.query(parameters) == query)
    }
}
