-- Mails that ask an address to confirm (docs/decisions/0018-email-and-atom.md).

-- name: count_asks
-- Counts those of the last day: by this account to this address since @lately, to this address, and by this account.
-- Letter case makes no other address: a mailbox whose owner never agreed would be asked once for each way to write it.
select count(*) filter (where account_id = @account and lower(url) = lower(@url) and at > @lately),
  count(*) filter (where lower(url) = lower(@url)),
  count(*) filter (where account_id = @account)
from confirmation_mails
