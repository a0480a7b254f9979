package buckettest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Signed reports whether a request carries the signature of version 4 that its key makes, as the documents of AWS say
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). It takes the hash of the
// body from the header: compare that with the body.
func Signed(r *http.Request, id, secret string) bool {
	var scope, names, signature string
	for part := range strings.SplitSeq(strings.TrimPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 "), ",") {
		k, v, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch k {
		case "Credential":
			scope = strings.TrimPrefix(v, id+"/")
		case "SignedHeaders":
			names = v
		case "Signature":
			signature = v
		}
	}
	var headers strings.Builder
	for name := range strings.SplitSeq(names, ";") {
		v := r.Header.Get(name)
		if name == "host" {
			v = r.Host
		}
		fmt.Fprintf(&headers, "%s:%s\n", name, strings.TrimSpace(v))
	}
	var query []string
	for k, values := range r.URL.Query() {
		for _, v := range values {
			query = append(query, strings.ReplaceAll(url.QueryEscape(k)+"="+url.QueryEscape(v), "+", "%20"))
		}
	}
	slices.Sort(query)
	request := strings.Join([]string{r.Method, r.URL.EscapedPath(), strings.Join(query, "&"), headers.String(), names, r.Header.Get("X-Amz-Content-Sha256")}, "\n")
	sum := sha256.Sum256([]byte(request))
	text := strings.Join([]string{"AWS4-HMAC-SHA256", r.Header.Get("X-Amz-Date"), scope, hex.EncodeToString(sum[:])}, "\n")
	key := []byte("AWS4" + secret)
	for part := range strings.SplitSeq(scope, "/") {
		key = mac(key, part)
	}
	return strings.HasSuffix(scope, "/us-east-1/s3/aws4_request") && hmac.Equal([]byte(signature), []byte(hex.EncodeToString(mac(key, text))))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
