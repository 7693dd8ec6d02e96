// What Unity declares, as far as the guide uses it, on Mono's own HTTP and JSON.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Web.Script.Serialization;

namespace UnityEngine {
    public enum RuntimePlatform { IPhonePlayer, Android }

    public static class Application {
        public static RuntimePlatform platform = RuntimePlatform.IPhonePlayer;
        public static string absoluteURL = "";
        public static event Action<string> deepLinkActivated;
        public static void OpenURL(string url) { }
        public static void Open(string link) => deepLinkActivated?.Invoke(link);
    }

    public static class PlayerPrefs {
        static readonly Dictionary<string, string> texts = new Dictionary<string, string>();
        public static string GetString(string name, string fallback = "") =>
            texts.TryGetValue(name, out var text) ? text : fallback;
        public static void SetString(string name, string text) => texts[name] = text;
        public static bool HasKey(string name) => texts.ContainsKey(name);
        public static void DeleteKey(string name) {
            // A crash between the two would lose the code.
            var path = name.Split('.')[0];
            if (path.Contains("/") && HasKey(name) && !HasKey("metacode.codes" + name.Substring(path.Length)))
                throw new InvalidOperationException("The key is deleted before the code is stored");
            texts.Remove(name);
        }
        public static void Save() { }
    }

    /// Like Unity's: fields only, never null within an object, and an ArgumentException for another shape of JSON.
    public static class JsonUtility {
        static readonly JavaScriptSerializer Parser = new JavaScriptSerializer();
        public static T FromJson<T>(string json) => json == "" ? default(T) : (T)Convert(Parser.DeserializeObject(json), typeof(T));
        public static string ToJson(object value) => Parser.Serialize(Plain(value, value.GetType()));

        static FieldInfo[] FieldsOf(Type type) => type.GetFields(BindingFlags.Public | BindingFlags.Instance);

        static object Convert(object json, Type type) {
            if (type == typeof(string)) return json?.ToString() ?? "";
            if (type == typeof(int)) return json is int number ? number : 0;
            if (type.IsArray) {
                var items = (json as IEnumerable ?? new object[0]).Cast<object>().ToArray();
                var array = Array.CreateInstance(type.GetElementType(), items.Length);
                for (var index = 0; index < items.Length; index += 1)
                    array.SetValue(Convert(items[index], type.GetElementType()), index);
                return array;
            }
            if (json != null && !(json is IDictionary<string, object>))
                throw new ArgumentException("JSON parse error: Unexpected node type.");
            var given = json as IDictionary<string, object> ?? new Dictionary<string, object>();
            var made = Activator.CreateInstance(type);
            foreach (var field in FieldsOf(type))
                field.SetValue(made, Convert(given.TryGetValue(field.Name, out var value) ? value : null, field.FieldType));
            return made;
        }

        static object Plain(object value, Type type) {
            if (type == typeof(string)) return value ?? "";
            if (type.IsPrimitive) return value;
            if (type.IsArray)
                return (value as Array ?? new object[0]).Cast<object>().Select(item => Plain(item, item.GetType())).ToArray();
            var whole = value ?? Activator.CreateInstance(type);
            return FieldsOf(type).ToDictionary(field => field.Name, field => Plain(field.GetValue(whole), field.FieldType));
        }
    }
}

namespace UnityEngine {
    public class AndroidJavaException : Exception { }

    public class AndroidJavaProxy {
        public AndroidJavaProxy(string javaInterface) { }
    }

    /// Play's classes, as far as the guide uses them. A listener is called by name, as Java does.
    public class AndroidJavaObject : IDisposable {
        public static string Referrer = "";
        public T GetStatic<T>(string field) => (T)(object)new AndroidJavaObject();
        public T CallStatic<T>(string method, params object[] given) => Call<T>(method, given);
        public T Call<T>(string method, params object[] given) =>
            (T)(typeof(T) == typeof(string) ? Referrer : (object)new AndroidJavaObject());
        public void Call(string method, params object[] given) {
            if (method != "startConnection") return;
            given[0].GetType().GetMethod("onInstallReferrerSetupFinished").Invoke(given[0], new object[] { 0 });
        }
        public void Dispose() { }
    }

    public class AndroidJavaClass : AndroidJavaObject {
        public AndroidJavaClass(string name) { }
    }
}

namespace UnityEngine.Scripting {
    public class PreserveAttribute : Attribute { }
}

namespace UnityEngine.Networking {
    using System.IO;
    using System.Net;
    using System.Threading.Tasks;

    public class UploadHandlerRaw {
        public readonly byte[] data;
        public UploadHandlerRaw(byte[] data) { this.data = data; }
    }

    public class DownloadHandlerBuffer { public string text = ""; }

    public class UnityWebRequestAsyncOperation { public bool isDone; }

    public class UnityWebRequest : IDisposable {
        public UploadHandlerRaw uploadHandler;
        public DownloadHandlerBuffer downloadHandler;
        public int timeout;
        public long responseCode;
        readonly HttpWebRequest request;
        WebHeaderCollection received = new WebHeaderCollection();

        public UnityWebRequest(string url, string method) {
            request = (HttpWebRequest)WebRequest.Create(url);
            request.Method = method;
            request.KeepAlive = false;
            request.ServicePoint.Expect100Continue = false;
        }

        public void SetRequestHeader(string name, string value) {
            if (name == "Content-Type") request.ContentType = value;
            else request.Headers[name] = value;
        }

        public string GetResponseHeader(string name) => received[name];

        public UnityWebRequestAsyncOperation SendWebRequest() {
            var operation = new UnityWebRequestAsyncOperation();
            Task.Run(() => {
                Exchange();
                operation.isDone = true;
            });
            return operation;
        }

        void Exchange() {
            try {
                request.Timeout = request.ReadWriteTimeout = timeout * 1000;
                using (var body = request.GetRequestStream())
                    body.Write(uploadHandler.data, 0, uploadHandler.data.Length);
                using (var response = request.GetResponse()) Read((HttpWebResponse)response);
            } catch (WebException error) when (error.Response is HttpWebResponse refused) {
                Read(refused);
            } catch (Exception error) when (error is WebException || error is IOException) {
                // Lost or cut: the code stays 0, as without a response.
            }
        }

        void Read(HttpWebResponse response) {
            var body = new MemoryStream();
            using (var stream = response.GetResponseStream()) stream.CopyTo(body);
            // Mono takes a body that ends early for a whole one.
            if (body.Length < response.ContentLength) throw new IOException("The response was cut");
            downloadHandler.text = System.Text.Encoding.UTF8.GetString(body.ToArray());
            received = response.Headers;
            responseCode = (long)response.StatusCode;
        }

        public void Dispose() => request.Abort();
    }
}
