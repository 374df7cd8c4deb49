// Shows pushed messages. They contain a title and the path of a page, and nothing about people or packages.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  let message = {};
  try {
    message = event.data.json();
  } catch {
    // Browsers require a notification for each pushed message.
  }
  const { id, title = 'Waybill', body = '', path = '/notifications' } = message;
  const icon = '/icon-192.png';
  event.waitUntil(self.registration.showNotification(title, { body, icon, badge: icon, tag: id, data: { path } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.path ?? '/notifications', self.location.origin);
  // A message leads to a page of the product only.
  if (url.origin === self.location.origin) event.waitUntil(open(url.href));
});

/** Shows the tab that is on the page already, else opens one: a page with unsaved input is never left. */
async function open(href) {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = tabs.find(({ url }) => url === href);
  await (there ? there.focus() : self.clients.openWindow(href));
}
