import Foundation

actor Session {
    private let key: String
    var calls = 0

    init(key: String) {
        self.key = key
    }

    func headers() -> [String: String] {
        calls += 1
        return ["x-api-key": key]
    }
}

let arguments = CommandLine.arguments
let session = Session(key: arguments[2])
let client = Metacode(baseURL: arguments[1]) { await session.headers() }
let users = ["bob", "anna", "carl", "eve"]
for uid in users { await client.clear(uid: uid) }
let anna = try await client.referrer(uid: "anna", name: "Anna")
let headerCalls = await session.calls
let (_, offline) = await claim(uid: "eve", with: Metacode(baseURL: "http://127.0.0.1:1") { [:] })
var refused: [Int] = []
for _ in 1...3 {
    do {
        _ = try await client.redeem(refereeUid: "bob", metacode: anna.metacode)
    } catch let error as MetacodeError {
        refused.append(error.status)
    }
}
var requestID: String?
do {
    _ = try await client.redeem(refereeUid: "carl", metacode: "unknown2")
} catch let error as MetacodeError {
    requestID = error.requestID
}
for _ in 1...2 {
    for code in await client.codes(uid: "eve") { await client.remove(code, uid: "eve") }
    _ = try await client.redeem(refereeUid: "eve", metacode: anna.metacode)
}
let first = try await client.redeem(refereeUid: "bob", metacode: anna.metacode)
let (again, words) = await redeem(anna.metacode + " ", uid: "bob", with: client)
do {
    _ = try await client.claim(uid: "anna")
} catch let error as MetacodeError {
    refused.append(error.status)
}
let id = "019aa3c2-7d11-7c52-9d36-5f1a0c9be2f4"
for (path, click) in [("r/anna2345?click_id=\(id)", id), ("r/anna2345.?click_id=mangled", nil)] {
    let invitation = Invitation(URL(string: "https://a.example/\(path)")!)
    precondition(invitation?.metacode == "anna2345" && invitation?.clickID == click, path)
}
precondition(Invitation(URL(string: "https://a.example/docs")!) == nil)
let rewards = await claim(uid: "anna", with: client).0.map(\.code)
var codes: [String: [String]] = [:]
for uid in users where uid != "carl" { codes[uid] = await client.codes(uid: uid).map(\.code) }
for code in await client.codes(uid: "anna") { await client.remove(code, uid: "anna") }
var left: [String] = []
for _ in 1...2 {
    let shown = await claim(uid: "anna", with: client).0
    left += shown.map(\.storeUrl.absoluteString)
}
let report: [String: Any] = [
    "metacode": anna.metacode, "code": first.code, "again": again?.code ?? "", "words": words, "rewards": rewards,
    "codes": codes, "left": left, "refused": refused, "requestId": requestID ?? "",
    "headerCalls": headerCalls, "offline": offline,
]
print(String(decoding: try JSONSerialization.data(withJSONObject: report), as: UTF8.self))
