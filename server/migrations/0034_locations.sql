-- serves 0.2.0
-- Where each package is, from now on also after it has left: on the road with its driver, delivered in the recipient's town, which is
-- all that everybody may know. The address beside it says the rest to those who may see that.
update packages set location = 'With the driver'
  where status in ('in transit', 'out for delivery') and location is distinct from 'With the driver';
update packages set location = address->>'city'
  where status = 'delivered' and location is distinct from address->>'city';
