package vault

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"gocloud.dev/blob"
	"gocloud.dev/blob/azureblob"
)

// openAzure opens a container by a shared access signature, or one of Azure itself by Azure's usual chain: the environment,
// the identity of the machine.
func openAzure(ctx context.Context, u *url.URL, keys Keys) (*blob.Bucket, error) {
	server, account := u.Query().Get("endpoint"), u.Query().Get("account")
	if server == "" && account == "" {
		return nil, errors.New("an Azure container needs its account, as in azblob://CONTAINER?account=NAME")
	}
	sas, err := url.ParseQuery(strings.TrimPrefix(keys.AzureSAS, "?"))
	if err != nil || sas.Get("sig") == "" && (keys.AzureSAS != "" || server != "") {
		return nil, errors.New("an Azure container needs a shared access signature of it that may read, write, delete and list")
	}
	if server == "" {
		server = "https://" + account + ".blob.core.windows.net"
	}
	host, err := endpoint(server)
	if err != nil {
		return nil, err
	}
	address := url.URL{Scheme: host.Scheme, Host: host.Host, Path: "/" + u.Host, RawQuery: sas.Encode()}
	opened, err := openContainer(address.String(), len(sas) > 0, keys)
	if err != nil {
		return nil, err
	}
	return azureblob.OpenBucket(ctx, opened, nil)
}

// openContainer makes the client.
func openContainer(address string, signed bool, keys Keys) (*container.Client, error) {
	options := azcore.ClientOptions{
		Transport: client(keys), Telemetry: policy.TelemetryOptions{ApplicationID: "rollcall"},
		Retry: policy.RetryOptions{MaxRetries: 2, RetryDelay: 500 * time.Millisecond, MaxRetryDelay: 10 * time.Second},
	}
	if signed {
		return container.NewClientWithNoCredential(address, &container.ClientOptions{ClientOptions: options})
	}
	identity, err := azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{ClientOptions: options})
	if err != nil {
		return nil, err
	}
	return container.NewClient(address, identity, &container.ClientOptions{ClientOptions: options})
}
