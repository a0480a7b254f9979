package vault

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"
)

// openS3 opens a bucket of AWS, of Google, or of another service with the protocol of S3.
func openS3(ctx context.Context, u *url.URL, keys Keys) (*blob.Bucket, error) {
	server, region := u.Query().Get("endpoint"), u.Query().Get("region")
	if u.Scheme == "gs" && server == "" {
		server = "https://storage.googleapis.com"
	}
	var cfg aws.Config
	var err error
	if server == "" {
		cfg, err = ofAWS(ctx, region, keys)
	} else {
		cfg, err = ofAnother(server, region, keys)
	}
	if err != nil {
		return nil, err
	}
	client := s3.NewFromConfig(cfg, func(o *s3.Options) {
		o.UsePathStyle = server != ""
		o.HTTPSignerV4 = signer{o.HTTPSignerV4}
	})
	return s3blob.OpenBucket(ctx, client, u.Host, &s3blob.Options{RequestChecksumCalculation: cfg.RequestChecksumCalculation})
}

// ofAWS is opened by AWS's usual chain, unless a key is given: the environment, its files, the role of the machine.
func ofAWS(ctx context.Context, region string, keys Keys) (aws.Config, error) {
	if region == "" {
		return aws.Config{}, errors.New("a bucket of AWS needs its region, as in s3://BUCKET?region=us-east-1")
	}
	// AWS's own client, as AWS_CA_BUNDLE is added to no other.
	asks := awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		t.DisableCompression = true // of pictures
		if keys.Roots != nil {
			t.TLSClientConfig.RootCAs = keys.Roots
		}
	})
	options := []func(*config.LoadOptions) error{
		config.WithRegion(region), config.WithHTTPClient(asks), config.WithRequestChecksumCalculation(aws.RequestChecksumCalculationWhenRequired),
	}
	if keys.S3ID != "" {
		options = append(options, config.WithCredentialsProvider(key(keys)))
	}
	return config.LoadDefaultConfig(ctx, options...)
}

// ofAnother is opened by the key that is given and by no other: keys of AWS are not for other services.
func ofAnother(server, region string, keys Keys) (aws.Config, error) {
	if keys.S3ID == "" {
		return aws.Config{}, errors.New("the bucket needs an access key and its secret (of Google: an HMAC key)")
	}
	host, err := endpoint(server)
	if err != nil {
		return aws.Config{}, err
	}
	if region == "" {
		region = "us-east-1" // which services without regions expect
	}
	return aws.Config{
		Region: region, BaseEndpoint: aws.String(host.String()), Credentials: key(keys), HTTPClient: client(keys),
		// Google and others refuse the checksums that AWS would have.
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired, ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
	}, nil
}

// key is the access key that is given.
func key(keys Keys) aws.CredentialsProvider {
	return credentials.NewStaticCredentialsProvider(keys.S3ID, keys.S3Secret, keys.S3Session)
}

// signer signs all headers but Accept-Encoding. Google rewrites that one before it checks the signature
// (https://github.com/aws/aws-sdk-go-v2/issues/1816).
type signer struct{ s3.HTTPSignerV4 }

// SignHTTP signs a request.
func (s signer) SignHTTP(ctx context.Context, c aws.Credentials, r *http.Request, hash, service, region string, at time.Time, options ...func(*v4.SignerOptions)) error {
	r.Header.Del("Accept-Encoding")
	return s.HTTPSignerV4.SignHTTP(ctx, c, r, hash, service, region, at, options...)
}
