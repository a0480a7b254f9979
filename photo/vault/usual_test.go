package vault_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/buckettest"
	"rollcall/photo/vault"
)

// TestAWSIsOpenedByItsUsualChain sets the environment, so it runs alone.
func TestAWSIsOpenedByItsUsualChain(t *testing.T) {
	server := buckettest.S3(t, "photos", id, secret)
	role := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"AccessKeyId":%q,"SecretAccessKey":%q,"Token":"of a session","Expiration":%q}`, id, secret, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	}))
	t.Cleanup(role.Close)
	none := filepath.Join(t.TempDir(), "none")
	for name, environment := range map[string]map[string]string{
		"a key in the environment": {"AWS_ACCESS_KEY_ID": id, "AWS_SECRET_ACCESS_KEY": secret},
		"the role of the machine":  {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_CONTAINER_CREDENTIALS_FULL_URI": role.URL},
	} {
		t.Run(name, func(t *testing.T) {
			for k, v := range map[string]string{"AWS_CONFIG_FILE": none, "AWS_SHARED_CREDENTIALS_FILE": none, "AWS_PROFILE": "", "AWS_ENDPOINT_URL_S3": server.URL} {
				t.Setenv(k, v)
			}
			for k, v := range environment {
				t.Setenv(k, v)
			}
			v, p := opened(t, "s3://photos?region=us-east-1", vault.Keys{Roots: server.Roots}), picture(t, 7)
			require.NoError(t, v.Put(t.Context(), p))
			require.Equal(t, p.Large, got(t, v, p.Hash, vault.Large))
			require.NoError(t, v.Delete(t.Context(), p.Hash))
			require.Empty(t, kept(t, v))

			_, err := vault.Open(t.Context(), "s3://photos?region=us-east-1", vault.Keys{S3ID: id, S3Secret: "another", Roots: server.Roots})
			require.ErrorContains(t, err, "SignatureDoesNotMatch", "the key that is given goes before")
			_, err = vault.Open(t.Context(), "s3://photos?endpoint="+server.URL, vault.Keys{Roots: server.Roots})
			require.ErrorContains(t, err, "needs an access key", "keys of AWS are not for others")
		})
	}
}

// TestAzureIsOpenedByItsUsualChain sets the environment, so it runs alone. The identity is refused: with it Azure itself would
// be asked.
func TestAzureIsOpenedByItsUsualChain(t *testing.T) {
	var asked atomic.Value
	identity := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.Query().Get("resource"))
		w.WriteHeader(http.StatusBadRequest)
	}))
	t.Cleanup(identity.Close)
	t.Setenv("AZURE_TOKEN_CREDENTIALS", "ManagedIdentityCredential")
	t.Setenv("IDENTITY_ENDPOINT", identity.URL)
	t.Setenv("IDENTITY_HEADER", "verysecret")
	_, err := vault.Open(t.Context(), "azblob://photos?account=nobody", vault.Keys{})
	require.ErrorContains(t, err, "open the place of photographs: ")
	require.NotContains(t, err.Error(), "verysecret")
	require.Equal(t, "https://storage.azure.com", asked.Load())

	azure := buckettest.Azure(t, "photos", sig)
	_, err = vault.Open(t.Context(), "azblob://photos?endpoint="+azure.URL, vault.Keys{Roots: azure.Roots})
	require.ErrorContains(t, err, "needs a shared access signature", "the identity is not for others")
}
