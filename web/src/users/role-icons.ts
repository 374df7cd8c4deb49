import type { Role } from '@waybill/contract';
import { ChartNoAxesColumn, Package, Truck } from 'lucide-react';

export const roleIcons: Record<Role, typeof Package> = { owner: Package, driver: Truck, admin: ChartNoAxesColumn };
