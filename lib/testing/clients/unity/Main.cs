using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using System.Web.Script.Serialization;
using UnityEngine;

/// The scripts of the guide stand in a MonoBehaviour, whose screen this is.
public partial class ReferralScreen {
    public Referrer Shown;
    void Show(Referrer referrer) => Shown = referrer;
}

/// Runs at once what Unity runs in its next frame.
public class MainThread : SynchronizationContext {
    public override void Post(SendOrPostCallback callback, object state) => callback(state);
}

public static class Program {
    public static void Main(string[] args) => Console.WriteLine(Walk(args[0], args[1]).GetAwaiter().GetResult());

    static async Task<MetacodeException> RefusalOf(Task sent) {
        try { await sent; } catch (MetacodeException error) { return error; }
        throw new Exception("The request was not refused");
    }

    static async Task<string> Walk(string url, string key) {
        var headers = new Dictionary<string, string> { { "x-api-key", key } };
        var calls = 0;
        var metacode = new Metacode(url, () => {
            calls += 1;
            return Task.FromResult(headers);
        });
        Metacode.Clear("bob");
        var screen = new ReferralScreen();
        await screen.ShowReferrer(metacode, "anna", "Anna");
        var headerCalls = calls;
        var (_, offline) = await screen.ClaimAll(new Metacode("http://127.0.0.1:1", () => Task.FromResult(headers)), "eve");
        string found = null, clickId = "unset";
        Links.Listen((code, id) => {
            found = code;
            clickId = id;
        });
        Application.Open("https://example.com/r/" + screen.Shown.metacode + ".?click_id=mangled");
        if (found != screen.Shown.metacode) throw new Exception("The link's full stop was kept: " + found);
        if (clickId != null) throw new Exception("A mangled click id was sent on");
        Application.platform = RuntimePlatform.Android;
        AndroidJavaObject.Referrer = "metacode=installed&click_id=019AA3C2-7d11-7c52-9d36-5f1a0c9be2f4";
        SynchronizationContext.SetSynchronizationContext(new MainThread());
        string installed = null;
        for (var time = 0; time < 2; time += 1) InstallReferrer.Read((code, id) => installed += code + " " + id);
        SynchronizationContext.SetSynchronizationContext(null);
        if (installed != "installed 019aa3c2-7d11-7c52-9d36-5f1a0c9be2f4") throw new Exception("Install referrer: " + installed);
        var refused = new List<long>();
        for (var time = 0; time < 3; time += 1) refused.Add((await RefusalOf(metacode.Redeem("bob", found))).Status);
        var requestId = (await RefusalOf(metacode.Redeem("carl", "unknown2"))).RequestId;
        for (var time = 0; time < 2; time += 1) {
            foreach (var code in Metacode.StoredCodes("eve")) Metacode.Remove("eve", code);
            await metacode.Redeem("eve", found);
        }
        var first = await metacode.Redeem("bob", found);
        var again = await screen.RedeemTyped(metacode, "bob", found + " ", clickId);
        refused.Add((await RefusalOf(metacode.ClaimRewards("anna"))).Status);
        var (rewards, _) = await screen.ClaimAll(metacode, "anna");
        var codes = new[] { "bob", "anna", "eve" }
            .ToDictionary(uid => uid, uid => Metacode.StoredCodes(uid).Select(code => code.code).ToArray());
        foreach (var code in Metacode.StoredCodes("anna")) Metacode.Remove("anna", code);
        var left = new List<string>();
        for (var time = 0; time < 2; time += 1)
            left.AddRange((await screen.ClaimAll(metacode, "anna")).Item1.Select(code => code.store_url));
        return new JavaScriptSerializer().Serialize(new {
            metacode = found, first.code, again = again.Item1?.code, words = again.Item2, refused, requestId,
            rewards = rewards.Select(reward => reward.code), codes, left, headerCalls, offline,
        });
    }
}
